import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { StorageWriter, Place, Snapshot } from "../../storage/writer.ts";
import type { Facts, SafePath } from "../../storage/storage.ts";
import type { Change, Effect, Expected, FileState } from "./change.ts";
import { countedIn } from "./streamed-entries.ts";
import { fileStateOf, movedState, removedState, stateNow, stateWithTree, writtenState } from "./file-states.ts";
import { CHECKED, mountedFault, type StagedChange } from "./staging.ts";
import { staleFault, inodeStampOf, type Step } from "./steps.ts";

/** Holds the steps of a change for the current state of the disk. */
export interface CompiledChange {
  readonly steps: readonly Step[];
  /** Holds the bytes that the last step appends. */
  readonly bytes?: Uint8Array;
  /** Lists places that may be erased after the commit. */
  readonly temporaryFiles: readonly Place[];
  /** Describes what was done. Must be called after the steps. */
  effect(): Effect;
}

/**
 * Checks a change against the disk. Returns null when there is nothing to do, and throws `stale` when it does not fit.
 */
export function compile(writer: StorageWriter, change: Change, staged: StagedChange): CompiledChange | null {
  switch (change.kind) {
    case "write":
      return compileWrite(writer, change, staged);
    case "append":
      return compileAppend(writer, change, staged);
    case "move":
      return compileMove(writer, change, staged);
    case "restore":
      return compileRestore(writer, change, staged);
    case "adopt":
      return compileAdopt(writer, change, staged);
    case "copy":
      return compileCopy(writer, change, staged);
    case "unpack":
      return compileUnpack(writer, change, staged);
    case "remove":
      return compileRemove(writer, change, staged);
    case "mkdir":
      return compileMkdir(writer, change);
    case "chmod":
      return compileChmod(writer, change);
  }
}

type ChangeOf<Kind extends Change["kind"]> = Extract<Change, { kind: Kind }>;

function compileWrite(writer: StorageWriter, change: ChangeOf<"write">, staged: StagedChange): CompiledChange {
  const { path, content, expect, lines, delta, isUnseen } = change;
  const { object } = staged;
  const now = expectAt(writer, path, expect);
  if (now && now.facts.kind !== "file") throw staleFault(path);
  if (typeof content === "object" && "size" in content) requireUntouched(writer, path, staged.fingerprint);
  const from = requireStaged(staged.temp);
  const facts = requireFacts(writer, from);
  const { steps, temporaryFiles } = placementSteps(writer, { from, to: path, now, facts }, staged);
  return {
    steps,
    temporaryFiles,
    effect: () => ({
      action: now ? "replace" : "create",
      path,
      before: fileStateOf(now, object),
      after: (isInPlace(staged) ? null : writtenState(facts, content)) ?? stateNow(writer, path),
      lines,
      delta,
      isUnseen: now ? isUnseen : undefined,
    }),
  };
}

/** Never changes a file with several names in place: another name of it may be outside the workspace. */
function compileAppend(writer: StorageWriter, change: ChangeOf<"append">, staged: StagedChange): CompiledChange {
  const { path, bytes, expect, lines } = change;
  const { temp, object, fingerprint } = staged;
  const now = requireExisting(expectAt(writer, path, expect), path);
  if (now.facts.kind !== "file") throw staleFault(path);
  if (temp !== undefined) {
    requireUntouched(writer, path, fingerprint);
    const effect = (): Effect => effectOf("replace", path, fileStateOf(now, object), stateNow(writer, path), lines);
    return { ...placementSteps(writer, { from: temp, to: path, now }, staged), effect };
  }
  const { identity, size, links } = now.facts;
  if (links !== 1) throw staleFault(path);
  return {
    steps: [{ do: "append", path, identity, size, added: bytes.length, head: headOf(bytes) }],
    bytes,
    temporaryFiles: [],
    effect: () => effectOf("append", path, fileStateOf(now), stateNow(writer, path), lines),
  };
}

const headOf = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, LIMITS.appendHeadBytes)).toString("base64");

function compileMove(writer: StorageWriter, change: ChangeOf<"move">, staged: StagedChange): CompiledChange {
  const { path, to, expect, replaces } = change;
  const moved = requireExisting(expectAt(writer, path, expect), path);
  const now = expectAt(writer, to, replaces);
  const before = fileStateOf(now, staged.object);
  const { steps, temporaryFiles } = relocationSteps(writer, { from: path, to, moved, now }, staged);
  return {
    steps,
    temporaryFiles,
    effect: () => ({ action: "move", path: to, before, after: movedState(writer, to, moved), from: path }),
  };
}

function compileRestore(writer: StorageWriter, change: ChangeOf<"restore">, staged: StagedChange): CompiledChange {
  const { path, object } = change;
  const { before, ...compiled } = arrivalSteps(writer, change, staged);
  if (isInPlace(staged))
    return { ...compiled, effect: () => effectOf("replace", path, before, stateNow(writer, path)) };
  return {
    ...compiled,
    effect: () => ({ ...effectOf("restore", path, before, stateWithTree(writer, path)), source: object }),
  };
}

/** Records what a command left as a plain write: undo keeps it in the history, not in a view, which is erased. */
function compileAdopt(writer: StorageWriter, change: ChangeOf<"adopt">, staged: StagedChange): CompiledChange {
  const { path, counted, lines, delta } = change;
  const { before, moved, ...compiled } = arrivalSteps(writer, change, staged);
  const after = (): FileState | null =>
    moved.facts.kind === "file" ? movedState(writer, path, moved) : stateWithTree(writer, path, counted);
  return {
    ...compiled,
    effect: () => ({ ...effectOf(before ? "replace" : "create", path, before, after(), lines), delta }),
  };
}

interface Arrival extends Omit<CompiledChange, "effect"> {
  readonly before: FileState | null;
  readonly moved: Snapshot;
}

/** Moves an object of the store into the workspace. */
function arrivalSteps(
  writer: StorageWriter,
  { object, path, replaces }: ChangeOf<"restore" | "adopt">,
  staged: StagedChange,
): Arrival {
  const moved = writer.snapshot(object);
  if (!moved) throw goneFault(path);
  const now = expectAt(writer, path, replaces);
  const before = fileStateOf(now, staged.object);
  if (!isInPlace(staged))
    return { before, moved, ...relocationSteps(writer, { from: object, to: path, moved, now }, staged) };
  requireUntouched(writer, object, staged.fingerprint);
  return { before, moved, ...placementSteps(writer, { from: requireStaged(staged.temp), to: path, now }, staged) };
}

/**
 * Checks for a mounted file, which only gets a new content: the source of the content stays, and undo writes the old
 * one back.
 */
const isInPlace = ({ backup }: StagedChange): boolean => backup !== undefined && backup.hidden === undefined;

interface Relocation {
  readonly from: Place;
  readonly to: SafePath;
  /** The object that moves from `from` to `to`. */
  readonly moved: Snapshot;
  /** The object at `to` now. */
  readonly now: Snapshot | null;
}

/**
 * One rename on the same disk. Between disks the staged copy is moved in, and the original is hidden and erased
 * after the commit.
 */
function relocationSteps(
  writer: StorageWriter,
  { from, to, moved, now }: Relocation,
  staged: StagedChange,
): Omit<CompiledChange, "effect"> {
  const { temp, hidden, fingerprint } = staged;
  if (temp === undefined) return placementSteps(writer, { from, to, now, facts: moved.facts }, staged);
  requireUntouched(writer, from, fingerprint);
  const { steps, temporaryFiles } = placementSteps(writer, { from: temp, to, now }, staged);
  if (hidden === undefined) return { steps, temporaryFiles: [...temporaryFiles, from] };
  const hideOriginal: Step = { do: "move", from, to: hidden, identity: moved.facts.identity };
  return { steps: [...steps, hideOriginal], temporaryFiles: [...temporaryFiles, hidden] };
}

function compileCopy(writer: StorageWriter, change: ChangeOf<"copy">, staged: StagedChange): CompiledChange {
  const { path, to } = change;
  const { object, fingerprint } = staged;
  const from = requireStaged(staged.temp);
  const { version } = requireExisting(expectAt(writer, path, change.expect), path);
  requireUntouched(writer, path, fingerprint);
  const now = expectAt(writer, to, change.replaces);
  const facts = requireFacts(writer, from);
  // The fingerprint proves that the copy was made from this version.
  const made = { facts, version };
  const { steps, temporaryFiles } = placementSteps(writer, { from, to, now, facts }, staged);
  return {
    steps,
    temporaryFiles,
    effect: () => {
      if (isInPlace(staged)) return effectOf("replace", to, fileStateOf(now, object), stateNow(writer, to));
      const after = facts.kind === "file" ? movedState(writer, to, made) : stateWithTree(writer, to);
      return { action: "copy", path: to, before: fileStateOf(now, object), after, from: path };
    },
  };
}

function compileUnpack(writer: StorageWriter, change: ChangeOf<"unpack">, staged: StagedChange): CompiledChange {
  const { path, replaces, entries } = change;
  const now = expectAt(writer, path, replaces);
  if (now && now.facts.kind !== "file") throw staleFault(path);
  const from = requireStaged(staged.temp);
  const facts = requireFacts(writer, from);
  const { steps, temporaryFiles } = placementSteps(writer, { from, to: path, now, facts }, staged);
  return {
    steps,
    temporaryFiles: staged.skeleton === undefined ? temporaryFiles : [...temporaryFiles, staged.skeleton],
    effect: () =>
      effectOf(
        now ? "replace" : "create",
        path,
        fileStateOf(now, staged.object),
        facts.kind === "file" ? stateNow(writer, path) : stateWithTree(writer, path, countedIn(entries)),
      ),
  };
}

function compileRemove(
  writer: StorageWriter,
  change: ChangeOf<"remove">,
  { temp, object, hidden, fingerprint }: StagedChange,
): CompiledChange | null {
  const { path, expect, into, unlessInUse, counted } = change;
  const now = requireExisting(expectAt(writer, path, expect), path);
  if (unlessInUse && !writer.isEmpty(path)) return null;
  if (temp !== undefined) requireUntouched(writer, path, fingerprint);
  const { identity } = now.facts;
  return {
    steps: [{ do: "move", from: path, to: hidden ?? object, identity }],
    temporaryFiles: hidden === undefined ? [] : [hidden],
    effect: () =>
      effectOf(
        "delete",
        path,
        into === "nowhere" ? fileStateOf(now) : removedState(writer, now, object, counted),
        null,
      ),
  };
}

function compileMkdir(writer: StorageWriter, { path }: ChangeOf<"mkdir">): CompiledChange | null {
  const now = writer.stat(path);
  if (now?.kind === "directory") return null;
  if (now) throw staleFault(path);
  return {
    steps: [{ do: "mkdir", path }],
    temporaryFiles: [],
    effect: () => effectOf("mkdir", path, null, stateNow(writer, path)),
  };
}

function compileChmod(writer: StorageWriter, { path, mode, expect }: ChangeOf<"chmod">): CompiledChange | null {
  const now = requireExisting(expectAt(writer, path, expect), path);
  if (now.facts.mode === mode) return null;
  return {
    steps: [{ do: "chmod", path, identity: now.facts.identity, mode, was: now.facts.mode }],
    temporaryFiles: [],
    effect: () => effectOf("chmod", path, fileStateOf(now), stateNow(writer, path)),
  };
}

interface Placement extends Omit<Relocation, "moved"> {
  /** Describes what moves in, where it was just looked up. */
  readonly facts?: Facts;
}

/** Replaces a file by a file in one atomic step; moves anything else away before the new entry moves in. */
function placementSteps(
  writer: StorageWriter,
  { from, to, now, facts = requireFacts(writer, from) }: Placement,
  { temp, object, backup }: StagedChange,
): Pick<CompiledChange, "steps" | "temporaryFiles"> {
  const { identity } = facts;
  const own = from === temp ? inodeStampOf(facts) : undefined;
  const move: Step = { do: "move", from, to, identity, staged: own };
  if (!now) return { steps: [move], temporaryFiles: [] };
  if (backup) requireUntouched(writer, to, backup.fingerprint);
  if (isInPlace({ object, backup })) return rewriteSteps({ from, to, facts, now }, object);
  const kept = backup?.hidden ?? object;
  const temporaryFiles = backup?.hidden === undefined ? [] : [backup.hidden];
  // Both are names of the same inode: the content is in place already, and only the other name is removed.
  if (now.facts.identity === identity) return { steps: [{ do: "move", from, to: kept, identity }], temporaryFiles };
  if (now.facts.kind === "file" && facts.kind === "file")
    return {
      steps: [{ do: "replace", from, to, identity, staged: own, kept, stamp: inodeStampOf(now.facts) }],
      temporaryFiles,
    };
  return { steps: [{ do: "move", from: to, to: kept, identity: now.facts.identity }, move], temporaryFiles };
}

interface InPlaceWrite extends Required<Placement> {
  readonly now: Snapshot;
}

/** Refuses large files: an in-place write needs both contents in memory, so that it can be rolled back half-way. */
function rewriteSteps(
  { from, to, facts, now }: InPlaceWrite,
  kept: Place,
): Pick<CompiledChange, "steps" | "temporaryFiles"> {
  if (now.facts.kind !== "file" || facts.kind !== "file") throw mountedFault(to, "replace");
  const size = Math.max(now.facts.size, facts.size);
  if (size > LIMITS.editBytes)
    throw new Fault(
      "too_large",
      `Cannot write ${JSON.stringify(to)}: it is a mount point, and too large to be written in place`,
      {
        path: to,
        size,
      },
    );
  const { identity } = now.facts;
  return {
    steps: [{ do: "rewrite", path: to, identity, from, kept, stamp: inodeStampOf(now.facts) }],
    temporaryFiles: [from],
  };
}

function expectAt(writer: StorageWriter, place: Place, expect: Expected): Snapshot | null {
  const now = writer.snapshot(place);
  if (expect === undefined || (now?.version ?? null) === expect) return now;
  throw staleFault(place);
}

function requireExisting(now: Snapshot | null, path: SafePath): Snapshot {
  if (now) return now;
  throw staleFault(path);
}

function requireFacts(writer: StorageWriter, place: Place): Facts {
  const facts = writer.stat(place);
  if (facts) return facts;
  throw staleFault(place);
}

/** Throws `stale` when a copied file or tree was changed since. */
export function requireUntouched(writer: StorageWriter, place: Place, fingerprint: string | undefined): void {
  if (fingerprint !== CHECKED && fingerprint !== writer.fingerprint(place, Infinity)) throw staleFault(place);
}

function requireStaged(temp: Place | undefined): Place {
  if (temp !== undefined) return temp;
  throw new Error("A change that needs new content was not staged");
}

const goneFault = (path: SafePath): Fault =>
  new Fault("not_found", `Cannot restore ${JSON.stringify(path)}: its backup is gone`, { path });

const effectOf = (
  action: Effect["action"],
  path: SafePath,
  before: FileState | null,
  after: FileState | null,
  lines?: Effect["lines"],
): Effect => ({ action, path, before, after, lines });
