import { hash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createApp } from "../../../src/app/app.ts";
import { OWN_PROCESS } from "../../../src/base/process-identity.ts";
import { createState } from "../../../src/storage/local/state/state.ts";
import { adminOf } from "../../../src/runtime/admin.ts";
import { checkAudit } from "../../../src/runtime/audit/verify-chain.ts";
import { appOn, callerOf, callerOn, scratch, stateBeside } from "../../runtime/scratch.ts";

const FOLDERS = ["changes", "pending", "trash", ".holdfast-store"];

/** Rearranges the state as version 0.1 kept it: in a folder for the list of roots, with journals that name no roots. */
function asVersion01(root: string, ...others: readonly string[]): string {
  const state = stateBeside(root);
  const folder = join(state, hash("sha256", [root, ...others].join("\0"), "hex").slice(0, 16));
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
  const app = createApp({ roots: [root], stateDirectory: stateBeside(root), loopDetection: false });
  const call = callerOf(app);
  const { data } = await call("write", { path: "a.txt", content: "new\n" });
  await call("delete", { path: "gone" });
  app.close();
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
  expect(existsSync(join(folder, "pending"))).toBe(false);
});

it("works in a directory inside the old roots, whose backups stay where they are", async () => {
  const root = scratch({ "in/a.txt": "old\n" });
  const app = createApp({ roots: [root], stateDirectory: stateBeside(root), loopDetection: false });
  const { data } = await callerOf(app)("write", { path: "in/a.txt", content: "new\n" });
  app.close();
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
