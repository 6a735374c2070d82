import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createLocalStorage } from "../../../../src/storage/local/local.ts";
import { createState } from "../../../../src/storage/local/state/state.ts";
import type { SafePath } from "../../../../src/storage/storage.ts";
import { createJournal } from "../../../../src/workspace/changes/journal/journal.ts";
import { createTransactions } from "../../../../src/workspace/changes/transactions.ts";
import { scratch, stateBeside } from "../../../runtime/scratch.ts";

/** Takes pictures of a root, and allows for five entries in it. */
function smallPictures(root: string) {
  const stateDirectory = stateBeside(root);
  const { writer } = createLocalStorage([root], { writerOptions: { stateDirectory, durability: "process" } });
  if (writer?.kind !== "transactional" || !writer.writer.pictures) throw new Error("This storage takes no pictures");
  const { pictures } = writer.writer;
  const small: typeof pictures = { ...pictures, scan: (place, _, checkpoint) => pictures.scan(place, 5, checkpoint) };
  const state = createState(stateDirectory);
  const journal = createJournal(state, () => []);
  const retention = { agent: 1e9, user: 1e9 };
  const engine = createTransactions(
    { ...writer, writer: { ...writer.writer, pictures: small } },
    { state, journal, retention },
  );
  if (!engine.pictures) throw new Error("This storage takes no pictures");
  return { pictures: engine.pictures, notes: () => readdirSync(join(stateDirectory, "pictures")) };
}

const AUTHOR = { session: "s", principal: "agent", tool: "exec" } as const;

it("is not compared again after the end of its command where there are too many files", async () => {
  const root = scratch({ "a.txt": "a\n" });
  const { pictures, notes } = smallPictures(root);
  const taken = await pictures.take([root as SafePath], { checkpoint: () => {}, isPatient: true });
  const id = "id" in taken ? taken.id : "";
  for (const name of "bcdefg") writeFileSync(join(root, name), "");
  const reconcile = (isLast: boolean) => pictures.reconcile(id, { author: AUTHOR, checkpoint: () => {}, isLast });
  await expect(reconcile(false)).rejects.toMatchObject({ code: "too_large" });
  expect(notes()).toEqual([id]);
  await expect(reconcile(true)).rejects.toMatchObject({ code: "too_large" });
  expect([notes(), await reconcile(true)]).toEqual([[], null]);
});
