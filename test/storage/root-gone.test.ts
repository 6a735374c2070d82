import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { isFault } from "../../src/base/errors.ts";
import { createLocalStorage } from "../../src/storage/local/local.ts";
import type { OpenFile, SafePath, Storage } from "../../src/storage/storage.ts";
import { layout } from "../layout.ts";
import { JAILS } from "./jails.ts";

const HERE = ["directory", "file", "file", "not_a_file", ["file"]];
const GONE = HERE.map(() => "root_gone");

const CHANGES = [
  { name: "it is removed", change: (root: string) => rmSync(root, { recursive: true }) },
  { name: "it is renamed", change: (root: string) => renameSync(root, `${root}.away`) },
  { name: "a file takes its place", change: (root: string) => take(root, (at) => writeFileSync(at, "file")) },
  { name: "a link takes its place", change: (root: string) => take(root, (at) => symlinkSync("evil/ROOT", at)) },
  { name: "a link to itself takes its place", change: (root: string) => take(root, (at) => symlinkSync(at, at)) },
  {
    name: "a link to what it was takes its place",
    change: (root: string) => take(root, (at) => symlinkSync(`${at}.away`, at)),
  },
  {
    name: "a link takes the place above",
    change: (root: string) => take(dirname(root), (at) => symlinkSync(`${at}.away/evil`, at)),
  },
];

function take(path: string, put: (path: string) => void): void {
  renameSync(path, `${path}.away`);
  put(path);
}

describe.each(JAILS)("a root that is gone, $name", ({ jail }) => {
  it.each(CHANGES)("is not looked for elsewhere when $name", async ({ change }) => {
    const top = dirname(layout(["../up/ROOT/file = file", "../up/evil/ROOT/file = nobody may read this"]));
    const root = join(top, "up/ROOT");
    const storage = createLocalStorage([root], jail);
    expect(await outcomesOf(storage, root)).toEqual(HERE);
    change(root);
    expect(await outcomesOf(storage, root)).toEqual(GONE);
  });

  it("works again when it is back", async () => {
    const root = layout(["file"]);
    const storage = createLocalStorage([root], jail);
    rmSync(root, { recursive: true });
    expect(await outcomesOf(storage, root)).toEqual(GONE);
    mkdirSync(root);
    writeFileSync(join(root, "file"), "back again");
    expect(await outcomesOf(storage, root)).toEqual(["directory", "file", "back again", "not_a_file", ["file"]]);
  });

  it("does not spoil another root", async () => {
    const [gone, other] = [layout(["file"]), layout(["file"])];
    const storage = createLocalStorage([gone, other], jail);
    rmSync(gone, { recursive: true });
    expect(await outcomesOf(storage, gone)).toEqual(GONE);
    expect(await outcomesOf(storage, other)).toEqual(HERE);
  });
});

const contentOf = async ({ facts, read }: OpenFile): Promise<string> => {
  const bytes = Buffer.alloc(facts.size);
  return bytes.toString("utf8", 0, await read(bytes, 0));
};

async function outcomesOf(storage: Storage, root: string): Promise<readonly unknown[]> {
  const file = join(root, "file") as SafePath;
  const all = await Promise.allSettled([
    storage.stat(root as SafePath, "keep").then((facts) => facts?.kind),
    storage.stat(file, "follow").then((facts) => facts?.kind),
    storage.withFile(file, contentOf),
    storage.withFile(root as SafePath, contentOf),
    storage.withDirectory(root as SafePath, async ({ entries }) => (await entries()).map(({ name }) => name)),
  ]);
  return all.map((each) => (each.status === "fulfilled" ? each.value : isFault(each.reason) && each.reason.code));
}
