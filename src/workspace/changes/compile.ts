import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { isHashed, versionOfBytes } from "../../base/version.ts";
import type { Hands, ObjectName, Place, Sighting } from "../../storage/writer.ts";
import type { Facts, SafePath } from "../../storage/storage.ts";
import type { Change, Effect, Expected, Image } from "./change.ts";
import { CHECKED, mountedFault, type StagedChange } from "./staging.ts";
import { stale, stampOf, type Step } from "./steps.ts";
import { treeSum } from "./undo/tree-checksum.ts";

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
export function compile(hands: Hands, change: Change, staged: StagedChange): Compiled | null {
  switch (change.kind) {
    case "write":
      return compileWrite(hands, change, staged);
    case "append":
      return compileAppend(hands, change, staged);
    case "move":
      return compileMove(hands, change, staged);
    case "restore":
      return compileRestore(hands, change, staged);
    case "copy":
      return compileCopy(hands, change, staged);
    case "remove":
      return compileRemove(hands, change, staged);
    case "mkdir":
      return compileMkdir(hands, change);
    case "chmod":
      return compileChmod(hands, change);
  }
}

type Of<Kind extends Change["kind"]> = Extract<Change, { kind: Kind }>;

function compileWrite(hands: Hands, change: Of<"write">, staged: StagedChange): Compiled {
  const { path, content, expect, lines, delta, isUnseen } = change;
  const { object } = staged;
  const now = expectAt(hands, path, expect);
  if (now && now.facts.kind !== "file") throw stale(path);
  if (typeof content === "object" && "size" in content) requireUntouched(hands, path, staged.fingerprint);
  const bytes = content instanceof Uint8Array ? content : undefined;
  const { steps, litter } = arrival(hands, { from: requirePlace(staged.temp), to: path, now }, staged);
  return {
    steps,
    litter,
    effect: () => ({
      action: now ? "replace" : "create",
      path,
      before: imageOf(now, object),
      after: writtenImage(hands, path, bytes),
      lines,
      delta,
      isUnseen: now ? isUnseen : undefined,
    }),
  };
}

/** A file with several names is never changed in place: through another name it may lie outside. */
function compileAppend(hands: Hands, change: Of<"append">, staged: StagedChange): Compiled {
  const { path, bytes, expect, lines } = change;
  const { temp, object, fingerprint } = staged;
  const now = requireThere(expectAt(hands, path, expect), path);
  if (now.facts.kind !== "file") throw stale(path);
  if (temp !== undefined) {
    requireUntouched(hands, path, fingerprint);
    const effect = (): Effect => done("replace", path, imageOf(now, object), imageAt(hands, path), lines);
    return { ...arrival(hands, { from: temp, to: path, now }, staged), effect };
  }
  const { identity, size, links } = now.facts;
  if (links !== 1) throw stale(path);
  return {
    steps: [{ do: "append", path, identity, size, added: bytes.length, head: headOf(bytes) }],
    bytes,
    litter: [],
    effect: () => done("append", path, imageOf(now), imageAt(hands, path), lines),
  };
}

const headOf = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, LIMITS.appendHeadBytes)).toString("base64");

function compileMove(hands: Hands, change: Of<"move">, staged: StagedChange): Compiled {
  const { path, to, expect, replaces } = change;
  const moved = requireThere(expectAt(hands, path, expect), path);
  const now = expectAt(hands, to, replaces);
  const before = imageOf(now, staged.object);
  const { steps, litter } = passage(hands, { from: path, to, moved, now }, staged);
  return {
    steps,
    litter,
    effect: () => ({ action: "move", path: to, before, after: movedImage(hands, to, moved), from: path }),
  };
}

function compileRestore(hands: Hands, { object, path, replaces }: Of<"restore">, staged: StagedChange): Compiled {
  const moved = hands.see(object);
  if (!moved) throw gone(path);
  const now = expectAt(hands, path, replaces);
  const before = imageOf(now, staged.object);
  if (isInPlace(staged)) {
    requireUntouched(hands, object, staged.fingerprint);
    return {
      ...arrival(hands, { from: requirePlace(staged.temp), to: path, now }, staged),
      effect: () => done("replace", path, before, imageAt(hands, path)),
    };
  }
  return {
    ...passage(hands, { from: object, to: path, moved, now }, staged),
    effect: () => ({ ...done("restore", path, before, wholeImage(hands, path)), source: object }),
  };
}

/** A mounted file gets a new content and nothing else: what that was copied from stays, and undo writes the old one back. */
const isInPlace = ({ aside }: StagedChange): boolean => aside !== undefined && aside.hidden === undefined;

interface Passage {
  readonly from: Place;
  readonly to: SafePath;
  /** What goes from the one to the other. */
  readonly moved: Sighting;
  /** What is at `to`. */
  readonly now: Sighting | null;
}

/** One rename; between disks a copy arrives, and the original is put out of sight and goes when all is done. */
function passage(hands: Hands, { from, to, moved, now }: Passage, staged: StagedChange): Omit<Compiled, "effect"> {
  const { temp, hidden, fingerprint } = staged;
  if (temp === undefined) return arrival(hands, { from, to, now, facts: moved.facts }, staged);
  requireUntouched(hands, from, fingerprint);
  const { steps, litter } = arrival(hands, { from: temp, to, now }, staged);
  if (hidden === undefined) return { steps, litter: [...litter, from] };
  const leaving: Step = { do: "move", from, to: hidden, identity: moved.facts.identity };
  return { steps: [...steps, leaving], litter: [...litter, hidden] };
}

function compileCopy(hands: Hands, change: Of<"copy">, staged: StagedChange): Compiled {
  const { path, to } = change;
  const { object, fingerprint } = staged;
  const from = requirePlace(staged.temp);
  const { version } = requireThere(expectAt(hands, path, change.expect), path);
  requireUntouched(hands, path, fingerprint);
  const now = expectAt(hands, to, change.replaces);
  const facts = requireFacts(hands, from);
  // Made of what has this very content, and of nothing else.
  const made = { facts, version };
  const { steps, litter } = arrival(hands, { from, to, now, facts }, staged);
  return {
    steps,
    litter,
    effect: () => {
      if (isInPlace(staged)) return done("replace", to, imageOf(now, object), imageAt(hands, to));
      const after = facts.kind === "file" ? movedImage(hands, to, made) : wholeImage(hands, to);
      return { action: "copy", path: to, before: imageOf(now, object), after, from: path };
    },
  };
}

function compileRemove(
  hands: Hands,
  change: Of<"remove">,
  { temp, object, hidden, fingerprint }: StagedChange,
): Compiled | null {
  const { path, expect, into, unlessInUse } = change;
  const now = requireThere(expectAt(hands, path, expect), path);
  if (unlessInUse && !hands.isEmpty(path)) return null;
  if (temp !== undefined) requireUntouched(hands, path, fingerprint);
  const { identity } = now.facts;
  return {
    steps: [{ do: "move", from: path, to: hidden ?? object, identity }],
    litter: hidden === undefined ? [] : [hidden],
    effect: () => done("delete", path, into === "nowhere" ? imageOf(now) : keptImage(hands, now, object, change), null),
  };
}

function compileMkdir(hands: Hands, { path }: Of<"mkdir">): Compiled | null {
  const now = hands.look(path);
  if (now?.kind === "directory") return null;
  if (now) throw stale(path);
  return {
    steps: [{ do: "mkdir", path }],
    litter: [],
    effect: () => done("mkdir", path, null, imageAt(hands, path)),
  };
}

function compileChmod(hands: Hands, { path, mode, expect }: Of<"chmod">): Compiled | null {
  const now = requireThere(expectAt(hands, path, expect), path);
  if (now.facts.mode === mode) return null;
  return {
    steps: [{ do: "chmod", path, identity: now.facts.identity, mode, was: now.facts.mode }],
    litter: [],
    effect: () => done("chmod", path, imageOf(now), imageAt(hands, path)),
  };
}

interface Arrival extends Omit<Passage, "moved"> {
  /** What arrives, where that has just been seen. */
  readonly facts?: Facts;
}

/** How something comes to a place: a file over a file in one instant, anything else after what was there has left. */
function arrival(
  hands: Hands,
  { from, to, now, facts = requireFacts(hands, from) }: Arrival,
  { temp, object, aside }: StagedChange,
): Pick<Compiled, "steps" | "litter"> {
  const { identity } = facts;
  const own = from === temp ? stampOf(facts) : undefined;
  const move: Step = { do: "move", from, to, identity, staged: own };
  if (!now) return { steps: [move], litter: [] };
  if (aside) requireUntouched(hands, to, aside.fingerprint);
  if (isInPlace({ object, aside })) return rewriting({ from, to, facts, now }, object);
  const kept = aside?.hidden ?? object;
  const litter = aside?.hidden === undefined ? [] : [aside.hidden];
  // Two names of one file: it is there already, and only the other name goes.
  if (now.facts.identity === identity) return { steps: [{ do: "move", from, to: kept, identity }], litter };
  if (now.facts.kind === "file" && facts.kind === "file")
    return {
      steps: [{ do: "replace", from, to, identity, staged: own, kept, stamp: stampOf(now.facts) }],
      litter,
    };
  return { steps: [{ do: "move", from: to, to: kept, identity: now.facts.identity }, move], litter };
}

interface Rewriting extends Required<Arrival> {
  readonly now: Sighting;
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
  return { steps: [{ do: "rewrite", path: to, identity, from, kept, stamp: stampOf(now.facts) }], litter: [from] };
}

function expectAt(hands: Hands, place: Place, expect: Expected): Sighting | null {
  const now = hands.see(place);
  if (expect === undefined || (now?.version ?? null) === expect) return now;
  throw stale(place);
}

function requireThere(now: Sighting | null, path: SafePath): Sighting {
  if (now) return now;
  throw stale(path);
}

function requireFacts(hands: Hands, place: Place): Facts {
  const facts = hands.look(place);
  if (facts) return facts;
  throw stale(place);
}

/** What was copied is still what it was then. */
export function requireUntouched(hands: Hands, place: Place, fingerprint: string | undefined): void {
  if (fingerprint !== CHECKED && fingerprint !== hands.fingerprint(place, Infinity)) throw stale(place);
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
  before: Image | null,
  after: Image | null,
  lines?: Effect["lines"],
): Effect => ({ action, path, before, after, lines });

/** What the history keeps of a sighting. */
export const imageOf = (now: Sighting | null, object?: ObjectName): Image | null =>
  now && {
    kind: now.facts.kind,
    version: now.version,
    size: now.facts.size,
    mode: now.facts.mode,
    modifiedMs: now.facts.modifiedMs,
    identity: now.facts.identity,
    object,
  };

const imageAt = (hands: Hands, path: SafePath): Image | null => imageOf(hands.see(path));

/** A tree is known by all that is in it, if that is not too much to look at while others wait. */
function wholeImage(hands: Hands, path: SafePath): Image | null {
  const image = imageAt(hands, path);
  return image?.kind === "directory" ? { ...image, fingerprint: fingerprintAt(hands, path) } : image;
}

/** What was removed, by what is kept of it. One that was counted and has too much in it is not even begun with. */
function keptImage(hands: Hands, now: Sighting, object: ObjectName, { counted }: Of<"remove">): Image | null {
  const image = imageOf(now, object);
  if (image?.kind !== "directory" || (counted?.files ?? 0) > LIMITS.fingerprinted) return image;
  return { ...image, fingerprint: fingerprintAt(hands, object) };
}

function fingerprintAt(hands: Hands, place: Place): string | undefined {
  const entries = hands.entriesIn(place, LIMITS.fingerprinted, () => false);
  return entries ? treeSum(entries) : undefined;
}

/** A file that only changed its name need not be read again. */
function movedImage(hands: Hands, to: SafePath, moved: Sighting): Image | null {
  const facts = hands.look(to);
  const isSame = facts && isHashed(facts) && stampOf(facts) === stampOf(moved.facts);
  return isSame ? imageOf({ facts, version: moved.version }) : imageAt(hands, to);
}

/** The version of bytes at hand need not be read back. */
function writtenImage(hands: Hands, path: SafePath, bytes: Uint8Array | undefined): Image | null {
  if (bytes === undefined || bytes.length > LIMITS.hashedBytes) return imageAt(hands, path);
  const facts = hands.look(path);
  return facts && imageOf({ facts, version: versionOfBytes(bytes) });
}
