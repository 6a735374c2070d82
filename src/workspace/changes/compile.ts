import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { isHashed, versionOfBytes } from "../../base/version.ts";
import type { StorageWriter, ObjectName, Place, Snapshot } from "../../storage/writer.ts";
import type { Facts, SafePath } from "../../storage/storage.ts";
import type { Change, Effect, Expected, FileState } from "./change.ts";
import { CHECKED, mountedFault, type StagedChange } from "./staging.ts";
import { stale, inodeStampOf, type Step } from "./steps.ts";
import { treeChecksum } from "./undo/tree-checksum.ts";

/** What a change comes down to, here and now. */
export interface CompiledChange {
  readonly steps: readonly Step[];
  /** What the last step appends. */
  readonly bytes?: Uint8Array;
  /** What may go once all has happened. */
  readonly temporaryFiles: readonly Place[];
  /** What was done; called once it has been. */
  effect(): Effect;
}

/** Checks a change against what is there now. Null when there is nothing to do; throws `stale` when it does not fit. */
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
    case "copy":
      return compileCopy(writer, change, staged);
    case "remove":
      return compileRemove(writer, change, staged);
    case "mkdir":
      return compileMkdir(writer, change);
    case "chmod":
      return compileChmod(writer, change);
  }
}

type Of<Kind extends Change["kind"]> = Extract<Change, { kind: Kind }>;

function compileWrite(writer: StorageWriter, change: Of<"write">, staged: StagedChange): CompiledChange {
  const { path, content, expect, lines, delta, isUnseen } = change;
  const { object } = staged;
  const now = expectAt(writer, path, expect);
  if (now && now.facts.kind !== "file") throw stale(path);
  if (typeof content === "object" && "size" in content) requireUntouched(writer, path, staged.fingerprint);
  const bytes = content instanceof Uint8Array ? content : undefined;
  const { steps, temporaryFiles } = placementSteps(writer, { from: requirePlace(staged.temp), to: path, now }, staged);
  return {
    steps,
    temporaryFiles,
    effect: () => ({
      action: now ? "replace" : "create",
      path,
      before: fileStateOf(now, object),
      after: writtenState(writer, path, bytes),
      lines,
      delta,
      isUnseen: now ? isUnseen : undefined,
    }),
  };
}

/** A file with several names is never changed in place: through another name it may lie outside. */
function compileAppend(writer: StorageWriter, change: Of<"append">, staged: StagedChange): CompiledChange {
  const { path, bytes, expect, lines } = change;
  const { temp, object, fingerprint } = staged;
  const now = requireThere(expectAt(writer, path, expect), path);
  if (now.facts.kind !== "file") throw stale(path);
  if (temp !== undefined) {
    requireUntouched(writer, path, fingerprint);
    const effect = (): Effect => effectOf("replace", path, fileStateOf(now, object), stateNow(writer, path), lines);
    return { ...placementSteps(writer, { from: temp, to: path, now }, staged), effect };
  }
  const { identity, size, links } = now.facts;
  if (links !== 1) throw stale(path);
  return {
    steps: [{ do: "append", path, identity, size, added: bytes.length, head: headOf(bytes) }],
    bytes,
    temporaryFiles: [],
    effect: () => effectOf("append", path, fileStateOf(now), stateNow(writer, path), lines),
  };
}

const headOf = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, LIMITS.appendHeadBytes)).toString("base64");

function compileMove(writer: StorageWriter, change: Of<"move">, staged: StagedChange): CompiledChange {
  const { path, to, expect, replaces } = change;
  const moved = requireThere(expectAt(writer, path, expect), path);
  const now = expectAt(writer, to, replaces);
  const before = fileStateOf(now, staged.object);
  const { steps, temporaryFiles } = relocationSteps(writer, { from: path, to, moved, now }, staged);
  return {
    steps,
    temporaryFiles,
    effect: () => ({ action: "move", path: to, before, after: movedState(writer, to, moved), from: path }),
  };
}

function compileRestore(
  writer: StorageWriter,
  { object, path, replaces }: Of<"restore">,
  staged: StagedChange,
): CompiledChange {
  const moved = writer.snapshot(object);
  if (!moved) throw goneFault(path);
  const now = expectAt(writer, path, replaces);
  const before = fileStateOf(now, staged.object);
  if (isInPlace(staged)) {
    requireUntouched(writer, object, staged.fingerprint);
    return {
      ...placementSteps(writer, { from: requirePlace(staged.temp), to: path, now }, staged),
      effect: () => effectOf("replace", path, before, stateNow(writer, path)),
    };
  }
  return {
    ...relocationSteps(writer, { from: object, to: path, moved, now }, staged),
    effect: () => ({ ...effectOf("restore", path, before, stateWithTree(writer, path)), source: object }),
  };
}

/** A mounted file gets a new content and nothing else: what that was copied from stays, and undo writes the old one back. */
const isInPlace = ({ backup }: StagedChange): boolean => backup !== undefined && backup.hidden === undefined;

interface Relocation {
  readonly from: Place;
  readonly to: SafePath;
  /** What goes from the one to the other. */
  readonly moved: Snapshot;
  /** What is at `to`. */
  readonly now: Snapshot | null;
}

/** One rename; between disks a copy arrives, and the original is put out of sight and goes when all is done. */
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
  const leaving: Step = { do: "move", from, to: hidden, identity: moved.facts.identity };
  return { steps: [...steps, leaving], temporaryFiles: [...temporaryFiles, hidden] };
}

function compileCopy(writer: StorageWriter, change: Of<"copy">, staged: StagedChange): CompiledChange {
  const { path, to } = change;
  const { object, fingerprint } = staged;
  const from = requirePlace(staged.temp);
  const { version } = requireThere(expectAt(writer, path, change.expect), path);
  requireUntouched(writer, path, fingerprint);
  const now = expectAt(writer, to, change.replaces);
  const facts = requireFacts(writer, from);
  // Made of what has this very content, and of nothing else.
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

function compileRemove(
  writer: StorageWriter,
  change: Of<"remove">,
  { temp, object, hidden, fingerprint }: StagedChange,
): CompiledChange | null {
  const { path, expect, into, unlessInUse } = change;
  const now = requireThere(expectAt(writer, path, expect), path);
  if (unlessInUse && !writer.isEmpty(path)) return null;
  if (temp !== undefined) requireUntouched(writer, path, fingerprint);
  const { identity } = now.facts;
  return {
    steps: [{ do: "move", from: path, to: hidden ?? object, identity }],
    temporaryFiles: hidden === undefined ? [] : [hidden],
    effect: () =>
      effectOf("delete", path, into === "nowhere" ? fileStateOf(now) : removedState(writer, now, object, change), null),
  };
}

function compileMkdir(writer: StorageWriter, { path }: Of<"mkdir">): CompiledChange | null {
  const now = writer.stat(path);
  if (now?.kind === "directory") return null;
  if (now) throw stale(path);
  return {
    steps: [{ do: "mkdir", path }],
    temporaryFiles: [],
    effect: () => effectOf("mkdir", path, null, stateNow(writer, path)),
  };
}

function compileChmod(writer: StorageWriter, { path, mode, expect }: Of<"chmod">): CompiledChange | null {
  const now = requireThere(expectAt(writer, path, expect), path);
  if (now.facts.mode === mode) return null;
  return {
    steps: [{ do: "chmod", path, identity: now.facts.identity, mode, was: now.facts.mode }],
    temporaryFiles: [],
    effect: () => effectOf("chmod", path, fileStateOf(now), stateNow(writer, path)),
  };
}

interface Placement extends Omit<Relocation, "moved"> {
  /** What arrives, where that has just been seen. */
  readonly facts?: Facts;
}

/** How something comes to a place: a file over a file in one instant, anything else after what was there has left. */
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
  // Two names of one file: it is there already, and only the other name goes.
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

/** What is written in place is held whole, so that it can be taken back from the middle. */
function rewriteSteps(
  { from, to, facts, now }: InPlaceWrite,
  kept: Place,
): Pick<CompiledChange, "steps" | "temporaryFiles"> {
  if (now.facts.kind !== "file" || facts.kind !== "file") throw mountedFault(to, "replace");
  const size = Math.max(now.facts.size, facts.size);
  if (size > LIMITS.editBytes)
    throw new Fault(
      "too_large",
      `Cannot write ${JSON.stringify(to)}: it is mounted, and too large to be written in place`,
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
  throw stale(place);
}

function requireThere(now: Snapshot | null, path: SafePath): Snapshot {
  if (now) return now;
  throw stale(path);
}

function requireFacts(writer: StorageWriter, place: Place): Facts {
  const facts = writer.stat(place);
  if (facts) return facts;
  throw stale(place);
}

/** What was copied is still what it was then. */
export function requireUntouched(writer: StorageWriter, place: Place, fingerprint: string | undefined): void {
  if (fingerprint !== CHECKED && fingerprint !== writer.fingerprint(place, Infinity)) throw stale(place);
}

function requirePlace(temp: Place | undefined): Place {
  if (temp !== undefined) return temp;
  throw new Error("A change that needs new content was not staged");
}

const goneFault = (path: SafePath): Fault =>
  new Fault("not_found", `Cannot bring back ${JSON.stringify(path)}: what was kept of it is gone`, { path });

const effectOf = (
  action: Effect["action"],
  path: SafePath,
  before: FileState | null,
  after: FileState | null,
  lines?: Effect["lines"],
): Effect => ({ action, path, before, after, lines });

/** What the history keeps of a sighting. */
export const fileStateOf = (now: Snapshot | null, object?: ObjectName): FileState | null =>
  now && {
    kind: now.facts.kind,
    version: now.version,
    size: now.facts.size,
    mode: now.facts.mode,
    modifiedMs: now.facts.modifiedMs,
    identity: now.facts.identity,
    object,
  };

const stateNow = (writer: StorageWriter, path: SafePath): FileState | null => fileStateOf(writer.snapshot(path));

/** A tree is known by all that is in it, if that is not too much to look at while others wait. */
function stateWithTree(writer: StorageWriter, path: SafePath): FileState | null {
  const image = stateNow(writer, path);
  return image?.kind === "directory" ? { ...image, fingerprint: fingerprintAt(writer, path) } : image;
}

/** What was removed, by what is kept of it. One that was counted and has too much in it is not even begun with. */
function removedState(
  writer: StorageWriter,
  now: Snapshot,
  object: ObjectName,
  { counted }: Of<"remove">,
): FileState | null {
  const image = fileStateOf(now, object);
  if (image?.kind !== "directory" || (counted?.files ?? 0) > LIMITS.fingerprintedEntries) return image;
  return { ...image, fingerprint: fingerprintAt(writer, object) };
}

function fingerprintAt(writer: StorageWriter, place: Place): string | undefined {
  const entries = writer.entriesIn(place, LIMITS.fingerprintedEntries, () => false);
  return entries ? treeChecksum(entries) : undefined;
}

/** A file that only changed its name need not be read again. */
function movedState(writer: StorageWriter, to: SafePath, moved: Snapshot): FileState | null {
  const facts = writer.stat(to);
  const isSame = facts && isHashed(facts) && inodeStampOf(facts) === inodeStampOf(moved.facts);
  return isSame ? fileStateOf({ facts, version: moved.version }) : stateNow(writer, to);
}

/** The version of bytes at hand need not be read back. */
function writtenState(writer: StorageWriter, path: SafePath, bytes: Uint8Array | undefined): FileState | null {
  if (bytes === undefined || bytes.length > LIMITS.hashedBytes) return stateNow(writer, path);
  const facts = writer.stat(path);
  return facts && fileStateOf({ facts, version: versionOfBytes(bytes) });
}
