import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { adminOf } from "../../../src/runtime/admin.ts";
import { OWN_BOOT } from "../../../src/base/process-identity.ts";
import { appOn, type Caller, callerOf, type CallResult, scratch } from "../../runtime/scratch.ts";

/** A directory in which a file was written and another deleted, which is about to be replaced. */
async function changed() {
  const top = scratch({ "a/f.txt": "old\n", "a/gone.txt": "gone\n" });
  const root = join(top, "a");
  const state = join(dirname(top), "state");
  const open = (...roots: readonly string[]): Caller => callerOf(appOn(top, { roots, loopDetection: false }));
  const openAsUser = () => appOn(top, { roots: [root], loopDetection: false, principal: "user" });
  const written = await open(root)("write", { path: "f.txt", content: "new\n" });
  const deleted = await open(root)("delete", { path: "gone.txt" });
  return { top, root, state, open, openAsUser, written, deleted };
}

/** Puts another directory in place of one, as a program does that saves a whole tree at once. */
function replace(root: string): void {
  mkdirSync(`${root}-fresh`);
  writeFileSync(join(`${root}-fresh`, "f.txt"), "new\n");
  renameSync(root, `${root}-before`);
  renameSync(`${root}-fresh`, root);
}

/** Rewrites the first line of each journal. */
function rewriteRoots(state: string, change: (line: string) => string): void {
  for (const name of readdirSync(join(state, "pending"))) {
    const path = join(state, "pending", name);
    const [header = "", ...lines] = readFileSync(path, "utf8").split("\n");
    writeFileSync(path, [change(header), ...lines].join("\n"));
  }
}

const idOf = ({ data }: CallResult): unknown => data["change_id"];

const idsOf = async (call: Caller): Promise<readonly unknown[]> =>
  ((await call("history")).data["changes"] as { change_id: string }[]).map(({ change_id }) => change_id);

describe("the history of a directory that was replaced by another at its path", () => {
  it("is no longer shown to agents, not even to one that has worked there", async () => {
    const { root, open, written, deleted } = await changed();
    const call = open(root);
    expect(await idsOf(call)).toEqual([idOf(deleted), idOf(written)]);
    replace(root);
    for (const each of [call, open(root)]) {
      expect(await idsOf(each)).toEqual([]);
      expect((await each("undo", { change_id: idOf(written) })).code).toBe("not_found");
      expect((await each("undo", { any_session: true })).code).toBe("no_change");
      expect((await each("restore", { path: "gone.txt" })).code).toBe("not_found");
      expect((await each("restore", { trash_id: deleted.data["trash_id"] })).code).toBe("not_found");
    }
    expect(readFileSync(join(root, "f.txt"), "utf8")).toBe("new\n");
  });

  it("is hidden from agents around it as well, and from those inside", async () => {
    const { top, root, open } = await changed();
    mkdirSync(join(root, "in"));
    await open(root)("write", { path: "in/g.txt", content: "g\n" });
    replace(root);
    mkdirSync(join(root, "in"));
    expect(await idsOf(open(top))).toEqual([]);
    expect(await idsOf(open(join(root, "in")))).toEqual([]);
  });

  it("is shown to the user, who is told so, and undone by its id only", async () => {
    const { root, openAsUser, written, deleted } = await changed();
    replace(root);
    const app = openAsUser();
    const call = callerOf(app);
    const { data, text } = await call("history");
    const isOther = { other_directory: true };
    expect(data["changes"]).toEqual([
      expect.objectContaining({ change_id: idOf(deleted), ...isOther }),
      expect.objectContaining({ change_id: idOf(written), ...isOther }),
    ]);
    expect(text).toContain("(in another directory that had this path)");
    expect(await adminOf(app.session).trash()).toEqual([expect.objectContaining(isOther)]);
    expect((await call("undo", { any_session: true })).code).toBe("no_change");
    expect((await call("restore", { trash_id: deleted.data["trash_id"] })).code).toBe("ok");
  });

  it("comes back with the directory, and changes to the other one are its own", async () => {
    const { root, open, written, deleted } = await changed();
    const call = open(root);
    replace(root);
    const other = await call("write", { path: "f.txt", content: "other\n" });
    expect(await idsOf(open(root))).toEqual([idOf(other)]);
    rmSync(root, { recursive: true });
    renameSync(`${root}-before`, root);
    expect(await idsOf(open(root))).toEqual([idOf(deleted), idOf(written)]);
  });

  it("is known by its inode after a start of the machine, when disks have other numbers", async () => {
    const { root, state, open, written, deleted } = await changed();
    rewriteRoots(state, (line) => line.replaceAll(/"dev":"\d+"/g, '"dev":"7"'));
    expect(await idsOf(open(root))).toEqual([]);
    rewriteRoots(state, (line) => line.replaceAll(OWN_BOOT, "00000000"));
    expect(await idsOf(open(root))).toEqual([idOf(deleted), idOf(written)]);
  });
});
