import { hash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { createApp } from "../../../src/app/app.ts";
import { OWN_PROCESS } from "../../../src/base/process-identity.ts";
import { createState } from "../../../src/storage/local/state/state.ts";
import { adminOf } from "../../../src/runtime/admin.ts";
import { checkAudit } from "../../../src/runtime/audit/verify-chain.ts";
import { killedAt } from "../../crash/death.ts";
import { appOn, callerOf, callerOn, scratch, stateBeside } from "../../runtime/scratch.ts";

const FOLDERS = ["changes", "pending", "trash", ".holdfast-store"];

/** Rearranges the state as version 0.1 kept it: in a folder for the list of roots, with journals that name no roots. */
function asVersion01(root: string, roots: readonly string[] = [root]): string {
  const state = stateBeside(root);
  const folder = join(state, hash("sha256", roots.join("\0"), "hex").slice(0, 16));
  mkdirSync(folder);
  const names = readdirSync(state).filter((name) => FOLDERS.includes(name) || name.startsWith("audit-"));
  for (const name of names) renameSync(join(state, name), join(folder, name));
  for (const journals of ["changes", "pending"])
    for (const name of existsSync(join(folder, journals)) ? readdirSync(join(folder, journals)) : []) {
      const path = join(folder, journals, name);
      writeFileSync(path, readFileSync(path, "utf8").replace(/^\{"roots".*\n/, ""));
    }
  for (const name of ["format", "sequence", "stores", "clock", "pruned"])
    rmSync(join(state, name), { recursive: true, force: true });
  return folder;
}

/** Makes a workspace with a history and a trash of version 0.1, whose process has ended. */
async function plant() {
  const root = scratch({ "a.txt": "old\n", gone: "gone\n" });
  // Pruning in the background would go on after the rearrangement.
  createState(stateBeside(root)).write("pruned", "");
  const app = createApp({ roots: [root], stateDirectory: stateBeside(root), loopDetection: false });
  const call = callerOf(app);
  const { data } = await call("write", { path: "a.txt", content: "new\n" });
  await call("delete", { path: "gone" });
  await app.close();
  const folder = asVersion01(root);
  return { root, folder, id: data["change_id"], end: () => endProcessIn(folder) };
}

/** Assigns the journals in a folder to a process that has ended. */
function endProcessIn(folder: string): void {
  for (const name of readdirSync(join(folder, "pending"))) {
    const path = join(folder, "pending", name);
    renameSync(path, path.replace(OWN_PROCESS, `${OWN_PROCESS}1`));
  }
}

/** Lists the files below a folder. */
const filesIn = (folder: string): readonly string[] =>
  (existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [])
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();

/** Leaves a change of two directories half done, as a process of version 0.1 that was killed. */
async function plantHalfDone() {
  for (let nth = 1; ; nth++) {
    const top = scratch({ "a/f.txt": "a\n", "b/f.txt": "b\n" });
    const [a, b] = [join(top, "a"), join(top, "b")];
    const both = callerOn(top, { roots: [a, b], loopDetection: false });
    const patch = [`*** Update File: ${a}/f.txt`, "-a", "+a2", `*** Update File: ${b}/f.txt`, "-b", "+b2"];
    const input = ["*** Begin Patch", ...patch, "*** End Patch"].join("\n");
    const home = { top, root: top, state: stateBeside(top) };
    mkdirSync(home.state);
    expect(await killedAt(nth, "before", home, () => both("apply_patch", { input }))).toBe(true);
    const [one, other] = [a, b].map((root) => readFileSync(join(root, "f.txt"), "utf8"));
    if (one === "a2\n" && other === "b\n") return { top, a, b, folder: asVersion01(top, [a, b]) };
  }
}

it("takes over history, trash and audit log of version 0.1", async () => {
  const { root, id, end } = await plant();
  end();
  const app = appOn(root, { loopDetection: false });
  const call = callerOf(app);
  const { data } = await call("history");
  expect(data["changes"]).toHaveLength(2);
  expect((await call("restore", { path: "gone" })).code).toBe("ok");
  expect((await call("undo", { change_id: id })).code).toBe("ok");
  expect(["a.txt", "gone"].map((name) => readFileSync(join(root, name), "utf8"))).toEqual(["old\n", "gone\n"]);
  app.session.audit.flush();
  const files = adminOf(app.session).audit();
  expect([files.length, checkAudit(files).flaws]).toEqual([2, []]);
});

it("waits while a process of that version works there, and takes over what it leaves", async () => {
  const { root, folder, end } = await plant();
  const before = await callerOn(root)("history");
  expect([before.data["changes"], readdirSync(join(folder, "pending")).length]).toEqual([[], 1]);
  end();
  expect((await callerOn(root)("history")).data["changes"]).toHaveLength(2);
});

it("leaves the old files readable until the history is pruned, and copies none twice", async () => {
  const { root, folder, end } = await plant();
  end();
  const before = filesIn(folder);
  for (let nth = 0; nth < 2; nth++) expect((await callerOn(root)("history")).data["changes"]).toHaveLength(2);
  expect(filesIn(folder)).toEqual(before);
  const state = createState(stateBeside(root));
  expect([...state.list("changes"), ...state.list("pending")]).toHaveLength(1);
  expect((await callerOn(root)("write", { path: "b.txt", content: "b" })).code).toBe("ok");
  await vi.waitFor(() => expect(filesIn(folder).filter((name) => !name.startsWith(".holdfast-store"))).toEqual([]));
  expect((await callerOn(root)("history")).data["changes"]).toHaveLength(3);
});

describe("an unfinished change set of version 0.1", () => {
  it("blocks its places until its directories are served together, in whichever order", async () => {
    const { a, b, top, folder } = await plantHalfDone();
    const alone = callerOn(top, { roots: [a], loopDetection: false });
    expect((await alone("write", { path: "f.txt", content: "mine" })).code).toBe("busy");
    expect((await alone("write", { path: "other.txt", content: "other" })).code).toBe("ok");
    expect(filesIn(folder)).toContainEqual(expect.stringMatching(/^pending\//));
    const both = callerOn(top, { roots: [b, a], loopDetection: false });
    expect((await both("write", { path: join(a, "next.txt"), content: "next" })).code).toBe("ok");
    expect([a, b].map((root) => readFileSync(join(root, "f.txt"), "utf8"))).toEqual(["a\n", "b\n"]);
    expect((await alone("write", { path: "f.txt", content: "mine" })).code).toBe("ok");
  });

  it("is given up by the user for good", async () => {
    const { a, b, top } = await plantHalfDone();
    const app = appOn(top, { roots: [a], loopDetection: false });
    await callerOf(app)("history");
    const [waiting] = app.session.workspace.writing?.waiting() ?? [];
    await adminOf(app.session).giveUp(waiting?.id ?? "");
    const both = callerOn(top, { roots: [a, b], loopDetection: false });
    expect((await both("write", { path: join(a, "next.txt"), content: "next" })).code).toBe("ok");
    expect(readFileSync(join(a, "f.txt"), "utf8")).toBe("a2\n");
  });

  it("is forgotten when version 0.1 has recovered it itself", async () => {
    const { a, top, folder } = await plantHalfDone();
    await callerOn(top, { roots: [a] })("history");
    rmSync(join(folder, "pending"), { recursive: true });
    const next = callerOn(top, { roots: [a], loopDetection: false });
    expect((await next("write", { path: "f.txt", content: "mine" })).code).toBe("ok");
  });
});

it("works in a directory inside the old roots, whose backups stay where they are", async () => {
  const root = scratch({ "in/a.txt": "old\n" });
  const app = createApp({ roots: [root], stateDirectory: stateBeside(root), loopDetection: false });
  const { data } = await callerOf(app)("write", { path: "in/a.txt", content: "new\n" });
  await app.close();
  endProcessIn(asVersion01(root));
  const call = callerOn(root, { roots: [join(root, "in")], loopDetection: false });
  expect((await call("undo", { change_id: data["change_id"] })).code).toBe("ok");
  expect(readFileSync(join(root, "in/a.txt"), "utf8")).toBe("old\n");
});

it("refuses the state of a newer version", () => {
  const root = scratch();
  mkdirSync(stateBeside(root));
  writeFileSync(join(stateBeside(root), "format"), "3\n");
  expect(() => appOn(root)).toThrow("a newer version of Holdfast made it");
});

it.each(["", "two\n", "2 or 3"])("refuses a state whose format is damaged, and says so: %j", (text) => {
  const root = scratch();
  mkdirSync(stateBeside(root));
  writeFileSync(join(stateBeside(root), "format"), text);
  expect(() => appOn(root)).toThrow('its file "format" is damaged');
});

it("says for later versions which layout it uses", async () => {
  const root = scratch();
  await callerOn(root)("write", { path: "a.txt", content: "a" });
  expect(createState(stateBeside(root)).read("format")).toBe("2\n");
});
