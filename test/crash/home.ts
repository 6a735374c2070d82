import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApp } from "../../src/app/app.ts";
import { call as callTool } from "../../src/runtime/pipeline/call.ts";
import type { Outcome } from "../../src/runtime/pipeline/outcome.ts";
import type { Layer } from "../../src/config/layer.ts";
import type { Session } from "../../src/runtime/sessions/session.ts";
import { type Call, type Case, type Disk, TREE } from "./cases.ts";

/** A workspace that is laid out again and again, with its state beside it. This process must be free to mount. */
export interface Home {
  readonly top: string;
  readonly root: string;
  readonly state: string;
}

export function createHome(disk: Disk): Home {
  const top = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "crash-")));
  mountAt(top);
  const home = { top, root: join(top, "root"), state: join(top, "state") };
  fs.mkdirSync(join(home.root, "disk"), { recursive: true });
  fs.mkdirSync(home.state);
  if (disk === "root/mounted.txt") mountFile(top, join(top, disk));
  else if (disk !== "none") mountAt(join(top, disk));
  return home;
}

/** Mounts a tmpfs: what is killed here is a process, not a machine. */
const mountAt = (place: string): unknown => execFileSync("mount", ["-t", "tmpfs", "none", place]);

/** Mounts a single file, as containers do. */
function mountFile(top: string, place: string): void {
  for (const file of [join(top, "host.txt"), place]) fs.writeFileSync(file, "");
  execFileSync("mount", ["--bind", join(top, "host.txt"), place]);
}

/** Is called at the end. Files that a killed process left open are still in use, so the unmount is lazy. */
export function leaveHome({ top }: Home): void {
  execFileSync("umount", ["--recursive", "--lazy", top]);
  fs.rmdirSync(top);
}

/** Lays out the tree, and makes the earlier calls of the case. */
export async function layOut({ root, state }: Home, { earlier = [] }: Case): Promise<void> {
  empty(root);
  empty(state);
  for (const [name, text] of Object.entries(TREE)) {
    fs.mkdirSync(join(root, name, ".."), { recursive: true });
    fs.writeFileSync(join(root, name), text);
  }
  if (fs.existsSync(join(root, MOUNTED))) fs.writeFileSync(join(root, MOUNTED), "one\ntwo\nthree (mounted)\n");
  fs.chmodSync(join(root, "locked.txt"), 0o600);
  fs.linkSync(join(root, "twin"), join(root, "twin.other"));
  fs.symlinkSync("a.txt", join(root, "link"));
  fs.symlinkSync("far.txt", join(root, "disk/link"));
  // What is packed holds times: they are the same each time.
  for (const name of [...Object.keys(TREE), "dir/deep", "dir"]) fs.utimesSync(join(root, name), 1.7e9, 1.7e9);
  const calls = callerIn({ root, state });
  for (const each of earlier) requireOk(await calls(each));
}

const MOUNTED = "mounted.txt";

/** Leaves mounts in place. */
function empty(directory: string): void {
  for (const name of fs.readdirSync(directory)) {
    if (name === MOUNTED) continue;
    if (name === "disk") empty(join(directory, name));
    else fs.rmSync(join(directory, name), { recursive: true });
  }
}

/** Makes calls like a process that has just started, and that may also delete for good. */
export function callerIn({ root, state }: Pick<Home, "root" | "state">): (call: Call) => Promise<Outcome> {
  const mayErase: Layer = { name: "user", rules: [{ act: "erase", decide: "autonomous", origin: "this test" }] };
  const { session } = createApp({
    roots: [root],
    profile: "coding",
    stateDirectory: state,
    loopDetection: false,
    ruleSource: { layers: [mayErase] },
  });
  const calling: Session = {
    ...session,
    // Undo without a name undoes the last change of its own session, so all callers here share one session.
    facts: { ...session.facts, id: "the-session" },
    // The audit log is written at its own pace, and says nothing about the change.
    audit: { record: () => {}, flush: () => {}, requireWritten: () => {}, files: () => [] },
  };
  const { signal } = new AbortController();
  return ({ tool, input }) => callTool(calling, { tool, input, signal });
}

export function requireOk({ code, blocks }: Outcome): void {
  if (code !== "ok") throw new Error(`${code}: ${JSON.stringify(blocks)}`);
}

/** Lists all that a user has: every entry with its mode and content. Our own store is left out. */
export function treeOf(directory: string, way = ""): Record<string, string> {
  return Object.fromEntries(
    fs.readdirSync(join(directory, way), { withFileTypes: true }).flatMap((entry) => {
      const name = join(way, entry.name);
      if (name === ".holdfast-store") return [];
      const { mode } = fs.lstatSync(join(directory, name));
      const bits = (mode & 0o7777).toString(8);
      if (entry.isSymbolicLink()) return [[name, `-> ${fs.readlinkSync(join(directory, name))}`]];
      if (entry.isDirectory()) return [[`${name}/`, bits], ...Object.entries(treeOf(directory, name))];
      return [[name, `${bits} ${fs.readFileSync(join(directory, name), "latin1")}`]];
    }),
  );
}
