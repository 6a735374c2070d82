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
export interface Compiled {
  readonly steps: readonly Step[];
  /** What the last step appends. */
  readonly bytes?: Uint8Array;
  /** What may go once all has happened. */
  readonly litter: readonly Place[];
  /** What was done; called once it has been. */
  effect(): Effect;
}

/** Checks a change against what is there now. Null when there is nothing to do; throws `stale` when it does not fit. */
export function compile(writer: StorageWriter, change: Change, staged: StagedChange): Compiled | null {
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

function compileWrite(writer: StorageWriter, change: Of<"write">, staged: StagedChange): Compiled {
  const { path, content, expect, lines, delta, isUnseen } = change;
  const { object } = staged;
  const now = expectAt(writer, path, expect);
  if (now && now.facts.kind !== "file") throw stale(path);
  if (typeof content === "object" && "size" in content) requireUntouched(writer, path, staged.fingerprint);
  const bytes = content instanceof Uint8Array ? content : undefined;
  const { steps, litter } = arrival(writer, { from: requirePlace(staged.temp), to: path, now }, staged);
  return {
    steps,
    litter,
    effect: () => ({
      action: now ? "replace" : "create",
      path,
      before: fileStateOf(now, object),
      after: writtenImage(writer, path, bytes),
      lines,
      delta,
      isUnseen: now ? isUnseen : undefined,
    }),
  };
}

/** A file with several names is never changed in place: through another name it may lie outside. */
function compileAppend(writer: StorageWriter, change: Of<"append">, staged: StagedChange): Compiled {
  const { path, bytes, expect, lines } = change;
  const { temp, object, fingerprint } = staged;
  const now = requireThere(expectAt(writer, path, expect), path);
  if (now.facts.kind !== "file") throw stale(path);
  if (temp !== undefined) {
    requireUntouched(writer, path, fingerprint);
    const effect = (): Effect => done("replace", path, fileStateOf(now, object), imageAt(writer, path), lines);
    return { ...arrival(writer, { from: temp, to: path, now }, staged), effect };
  }
  const { identity, size, links } = now.facts;
  if (links !== 1) throw stale(path);
  return {
    steps: [{ do: "append", path, identity, size, added: bytes.length, head: headOf(bytes) }],
    bytes,
    litter: [],
    effect: () => done("append", path, fileStateOf(now), imageAt(writer, path), lines),
  };
}

const headOf = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, LIMITS.appendHeadBytes)).toString("base64");

function compileMove(writer: StorageWriter, change: Of<"move">, staged: StagedChange): Compiled {
  const { path, to, expect, replaces } = change;
  const moved = requireThere(expectAt(writer, path, expect), path);
  const now = expectAt(writer, to, replaces);
  const before = fileStateOf(now, staged.object);
  const { steps, litter } = passage(writer, { from: path, to, moved, now }, staged);
  return {
    steps,
    litter,
    effect: () => ({ action: "move", path: to, before, after: movedImage(writer, to, moved), from: path }),
  };
}

function compileRestore(
  writer: StorageWriter,
  { object, path, replaces }: Of<"restore">,
  staged: StagedChange,
): Compiled {
  const moved = writer.see(object);
  if (!moved) throw gone(path);
  const now = expectAt(writer, path, replaces);
  const before = fileStateOf(now, staged.object);
  if (isInPlace(staged)) {
    requireUntouched(writer, object, staged.fingerprint);
    return {
      ...arrival(writer, { from: requirePlace(staged.temp), to: path, now }, staged),
      effect: () => done("replace", path, before, imageAt(writer, path)),
    };
  }
  return {
    ...passage(writer, { from: object, to: path, moved, now }, staged),
    effect: () => ({ ...done("restore", path, before, wholeImage(writer, path)), source: object }),
  };
}

/** A mounted file gets a new content and nothing else: what that was copied from stays, and undo writes the old one back. */
const isInPlace = ({ aside }: StagedChange): boolean => aside !== undefined && aside.hidden === undefined;

interface Passage {
  readonly from: Place;
  readonly to: SafePath;
  /** What goes from the one to the other. */
  readonly moved: Snapshot;
  /** What is at `to`. */
  readonly now: Snapshot | null;
}

/** One rename; between disks a copy arrives, and the original is put out of sight and goes when all is done. */
function passage(
  writer: StorageWriter,
  { from, to, moved, now }: Passage,
  staged: StagedChange,
): Omit<Compiled, "effect"> {
  const { temp, hidden, fingerprint } = staged;
  if (temp === undefined) return arrival(writer, { from, to, now, facts: moved.facts }, staged);
  requireUntouched(writer, from, fingerprint);
  const { steps, litter } = arrival(writer, { from: temp, to, now }, staged);
  if (hidden === undefined) return { steps, litter: [...litter, from] };
  const leaving: Step = { do: "move", from, to: hidden, identity: moved.facts.identity };
  return { steps: [...steps, leaving], litter: [...litter, hidden] };
}

function compileCopy(writer: StorageWriter, change: Of<"copy">, staged: StagedChange): Compiled {
  const { path, to } = change;
  const { object, fingerprint } = staged;
  const from = requirePlace(staged.temp);
  const { version } = requireThere(expectAt(writer, path, change.expect), path);
  requireUntouched(writer, path, fingerprint);
  const now = expectAt(writer, to, change.replaces);
  const facts = requireFacts(writer, from);
  // Made of what has this very content, and of nothing else.
  const made = { facts, version };
  const { steps, litter } = arrival(writer, { from, to, now, facts }, staged);
  return {
    steps,
    litter,
    effect: () => {
      if (isInPlace(staged)) return done("replace", to, fileStateOf(now, object), imageAt(writer, to));
      const after = facts.kind === "file" ? movedImage(writer, to, made) : wholeImage(writer, to);
      return { action: "copy", path: to, before: fileStateOf(now, object), after, from: path };
    },
  };
}

function compileRemove(
  writer: StorageWriter,
  change: Of<"remove">,
  { temp, object, hidden, fingerprint }: StagedChange,
): Compiled | null {
  const { path, expect, into, unlessInUse } = change;
  const now = requireThere(expectAt(writer, path, expect), path);
  if (unlessInUse && !writer.isEmpty(path)) return null;
  if (temp !== undefined) requireUntouched(writer, path, fingerprint);
  const { identity } = now.facts;
  return {
    steps: [{ do: "move", from: path, to: hidden ?? object, identity }],
    litter: hidden === undefined ? [] : [hidden],
    effect: () =>
      done("delete", path, into === "nowhere" ? fileStateOf(now) : keptImage(writer, now, object, change), null),
  };
}

function compileMkdir(writer: StorageWriter, { path }: Of<"mkdir">): Compiled | null {
  const now = writer.look(path);
  if (now?.kind === "directory") return null;
  if (now) throw stale(path);
  return {
    steps: [{ do: "mkdir", path }],
    litter: [],
    effect: () => done("mkdir", path, null, imageAt(writer, path)),
  };
}

function compileChmod(writer: StorageWriter, { path, mode, expect }: Of<"chmod">): Compiled | null {
  const now = requireThere(expectAt(writer, path, expect), path);
  if (now.facts.mode === mode) return null;
  return {
    steps: [{ do: "chmod", path, identity: now.facts.identity, mode, was: now.facts.mode }],
    litter: [],
    effect: () => done("chmod", path, fileStateOf(now), imageAt(writer, path)),
  };
}

interface Arrival extends Omit<Passage, "moved"> {
  /** What arrives, where that has just been seen. */
  readonly facts?: Facts;
}

/** How something comes to a place: a file over a file in one instant, anything else after what was there has left. */
function arrival(
  writer: StorageWriter,
  { from, to, now, facts = requireFacts(writer, from) }: Arrival,
  { temp, object, aside }: StagedChange,
): Pick<Compiled, "steps" | "litter"> {
  const { identity } = facts;
  const own = from === temp ? inodeStampOf(facts) : undefined;
  const move: Step = { do: "move", from, to, identity, staged: own };
  if (!now) return { steps: [move], litter: [] };
  if (aside) requireUntouched(writer, to, aside.fingerprint);
  if (isInPlace({ object, aside })) return rewriting({ from, to, facts, now }, object);
  const kept = aside?.hidden ?? object;
  const litter = aside?.hidden === undefined ? [] : [aside.hidden];
  // Two names of one file: it is there already, and only the other name goes.
  if (now.facts.identity === identity) return { steps: [{ do: "move", from, to: kept, identity }], litter };
  if (now.facts.kind === "file" && facts.kind === "file")
    return {
      steps: [{ do: "replace", from, to, identity, staged: own, kept, stamp: inodeStampOf(now.facts) }],
      litter,
    };
  return { steps: [{ do: "move", from: to, to: kept, identity: now.facts.identity }, move], litter };
}

interface Rewriting extends Required<Arrival> {
  readonly now: Snapshot;
}

/** What is written in place is held whole, so that it can be taken back from the middle. */
function rewriting({ from, to, facts, now }: Rewriting, kept: Place): Pick<Compiled, "steps" | "litter"> {
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
  return { steps: [{ do: "rewrite", path: to, identity, from, kept, stamp: inodeStampOf(now.facts) }], litter: [from] };
}

function expectAt(writer: StorageWriter, place: Place, expect: Expected): Snapshot | null {
  const now = writer.see(place);
  if (expect === undefined || (now?.version ?? null) === expect) return now;
  throw stale(place);
}

function requireThere(now: Snapshot | null, path: SafePath): Snapshot {
  if (now) return now;
  throw stale(path);
}

function requireFacts(writer: StorageWriter, place: Place): Facts {
  const facts = writer.look(place);
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

const gone = (path: SafePath): Fault =>
  new Fault("not_found", `Cannot bring back ${JSON.stringify(path)}: what was kept of it is gone`, { path });

const done = (
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

const imageAt = (writer: StorageWriter, path: SafePath): FileState | null => fileStateOf(writer.see(path));

/** A tree is known by all that is in it, if that is not too much to look at while others wait. */
function wholeImage(writer: StorageWriter, path: SafePath): FileState | null {
  const image = imageAt(writer, path);
  return image?.kind === "directory" ? { ...image, fingerprint: fingerprintAt(writer, path) } : image;
}

/** What was removed, by what is kept of it. One that was counted and has too much in it is not even begun with. */
function keptImage(
  writer: StorageWriter,
  now: Snapshot,
  object: ObjectName,
  { counted }: Of<"remove">,
): FileState | null {
  const image = fileStateOf(now, object);
  if (image?.kind !== "directory" || (counted?.files ?? 0) > LIMITS.fingerprinted) return image;
  return { ...image, fingerprint: fingerprintAt(writer, object) };
}

function fingerprintAt(writer: StorageWriter, place: Place): string | undefined {
  const entries = writer.entriesIn(place, LIMITS.fingerprinted, () => false);
  return entries ? treeChecksum(entries) : undefined;
}

/** A file that only changed its name need not be read again. */
function movedImage(writer: StorageWriter, to: SafePath, moved: Snapshot): FileState | null {
  const facts = writer.look(to);
  const isSame = facts && isHashed(facts) && inodeStampOf(facts) === inodeStampOf(moved.facts);
  return isSame ? fileStateOf({ facts, version: moved.version }) : imageAt(writer, to);
}

/** The version of bytes at hand need not be read back. */
function writtenImage(writer: StorageWriter, path: SafePath, bytes: Uint8Array | undefined): FileState | null {
  if (bytes === undefined || bytes.length > LIMITS.hashedBytes) return imageAt(writer, path);
  const facts = writer.look(path);
  return facts && fileStateOf({ facts, version: versionOfBytes(bytes) });
}
