import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  closeSync,
  readFileSync,
  writeFileSync,
  constants,
  existsSync,
  readdirSync,
  rmdirSync,
  unlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { errnoOf } from "../../base/errno.ts";
import { LIMITS } from "../../base/limits.ts";
import { childOf } from "../../base/paths.ts";
import { runProgram } from "../spawn.ts";
import { createBubblewrap } from "./bubblewrap.ts";
import { createNoSandbox } from "./none.ts";
import type { Bounds, Sandbox } from "./sandbox.ts";
import { findSystemProgram } from "./system-programs.ts";
import { createUnshare } from "./unshare.ts";

/** The abilities of the rungs on this machine, as plain data that can be kept until the machine boots again. */
export interface ProbeResult {
  readonly bubblewrap: RungProbe & { readonly canDisableUserns: boolean };
  readonly unshare: RungProbe;
  /** Says whether commands without a sandbox can have a pid namespace. */
  readonly hasPidNamespace: boolean;
}

export interface RungProbe {
  readonly works: boolean;
  readonly hasViews: boolean;
  /** Says why it does not work, or has no views, in its own words. */
  readonly reason?: string | undefined;
}

/**
 * Tries every rung with a real command. `parent` is ours, on the disk that holds views, and created where it is missing.
 * Each process tries in a directory of its own below it: one that saw the files of another would find nothing to work.
 */
export async function probeSandboxes(parent: string): Promise<ProbeResult> {
  if (process.platform !== "linux") return NOTHING;
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  removeAbandoned(parent);
  const directory = mkdtempSync(childOf(parent, "try-"));
  try {
    return await probeIn(directory);
  } finally {
    removeTree(directory);
  }
}

/** Removes what processes left that were killed while they tried. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const path = childOf(parent, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats || Date.now() - stats.mtimeMs < ABANDONED_MS) continue;
    if (stats.isDirectory()) removeTree(path);
    else unlinkSync(path);
  }
}

const ABANDONED_MS = 3_600_000;

async function probeIn(directory: string): Promise<ProbeResult> {
  const version = await bubblewrapVersion();
  const canDisableUserns = version >= DISABLES_USERNS;
  const options = {
    home: "/nonexistent",
    closed: [],
    placeholders: childOf(directory, "placeholders"),
    hasViews: true,
  };
  const bubblewrap =
    version > 0 ? await probeRung(createBubblewrap({ ...options, canDisableUserns }), directory) : MISSING;
  const unshare = await probeRung(createUnshare(options), directory);
  const plain = await run(createNoSandbox({ hasPidNamespace: true }), 'test "$$" = 1', directory, {});
  return { bubblewrap: { ...bubblewrap, canDisableUserns }, unshare, hasPidNamespace: plain.isDone };
}

/** Does the same in a temporary directory, for a look that leaves nothing behind. */
export async function probeInPassing(): Promise<ProbeResult> {
  const directory = temporaryDirectory();
  if (directory === undefined) return NO_PLACE;
  try {
    return await probeSandboxes(directory);
  } finally {
    removeTree(directory);
  }
}

/** Returns undefined where nothing can be written, as in a container with a read-only disk. */
function temporaryDirectory(): string | undefined {
  try {
    return mkdtempSync(childOf(tmpdir(), "holdfast-probe-"));
  } catch (error) {
    if (!["EROFS", "EACCES", "ENOENT"].includes(errnoOf(error) ?? "")) throw error;
    return undefined;
  }
}

const nothingWorks = (reason: string): ProbeResult => {
  const rung: RungProbe = { works: false, hasViews: false, reason };
  return { bubblewrap: { ...rung, canDisableUserns: false }, unshare: rung, hasPidNamespace: false };
};

const NO_PLACE = nothingWorks("the directory for temporary files cannot be written to");
const NOTHING = nothingWorks("it needs Linux");
const MISSING: RungProbe = { works: false, hasViews: false, reason: "it is not installed" };

/** The first version that can forbid user namespaces inside: 0.8.0. */
const DISABLES_USERNS = 8;

/** Returns major times 1000 plus minor, or 0 where it is missing. */
async function bubblewrapVersion(): Promise<number> {
  const file = findSystemProgram("bwrap");
  if (file === undefined) return 0;
  const { output } = await runProgram({ file, args: ["--version"], directory: "/" }, "", LIMITS.helperStartMs);
  const [, major = "0", minor = "0"] = /(\d+)\.(\d+)/.exec(output) ?? [];
  return Number(major) * 1000 + Number(minor);
}

async function probeRung(sandbox: Sandbox, directory: string): Promise<RungProbe> {
  const live = await run(sandbox, "true", directory, {});
  if (!live.isDone) return { works: false, hasViews: false, reason: live.output };
  const view = await probeView(sandbox, directory);
  return view === undefined ? { works: true, hasViews: true } : { works: true, hasViews: false, reason: view };
}

/** Changes and deletes files on a view, and looks for both in its upper directory. Returns what went wrong. */
async function probeView(sandbox: Sandbox, directory: string): Promise<string | undefined> {
  const [root, upper, work] = ["root", "upper", "work"].map((name) => childOf(directory, name)) as [
    string,
    string,
    string,
  ];
  try {
    for (const each of [root, upper, work]) mkdirSync(each);
    for (const name of ["changed", "deleted"]) writeFileSync(childOf(root, name), "before");
    const view = { id: "probe", layers: [{ root, upper, work }] };
    const { isDone, output } = await run(sandbox, "rm deleted && printf after > changed", root, { view });
    if (!isDone) return output;
    const isWhiteout = lstatSync(childOf(upper, "deleted"), { throwIfNoEntry: false })?.isCharacterDevice() ?? false;
    const isKept = existsSync(childOf(root, "deleted")) && readFileSync(childOf(root, "changed"), "utf8") === "before";
    return isWhiteout && isKept ? undefined : "an overlay did not keep changes away from the directory below it";
  } finally {
    for (const each of [root, upper, work]) removeTree(each);
  }
}

interface Ran {
  readonly isDone: boolean;
  readonly output: string;
}

async function run(sandbox: Sandbox, text: string, directory: string, extra: Partial<Bounds>): Promise<Ran> {
  const log = childOf(directory, "output");
  const output = openSync(log, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND, 0o600);
  const bounds: Bounds = {
    roots: [{ path: directory, access: "rw" }],
    masked: [],
    readOnly: [],
    caches: [],
    network: "off",
    limits: {},
    ...extra,
  };
  try {
    const command = { argv: ["/bin/sh", "-c", text], directory, environment: { PATH: "/usr/bin:/bin" } } as const;
    const { exited } = await sandbox.start(command, bounds, { input: "none", output });
    const isDone = await exited.then(
      ({ code }) => code === 0,
      () => false,
    );
    return { isDone, output: readFileSync(log, "utf8").trim().slice(0, REASON_CHARS) };
  } catch (error) {
    return { isDone: false, output: error instanceof Error ? error.message : String(error) };
  } finally {
    closeSync(output);
    unlinkSync(log);
  }
}

const REASON_CHARS = 300;

/** Removes what the probe made; the kernel leaves a directory in `work` that nobody can list. */
function removeTree(directory: string): void {
  if (!existsSync(directory)) return;
  chmodSync(directory, 0o700);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = childOf(directory, entry.name);
    if (entry.isDirectory()) removeTree(path);
    else unlinkSync(path);
  }
  rmdirSync(directory);
}
