import { randomBytes } from "node:crypto";
import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { childOf } from "../base/paths.ts";
import { innermostRoot } from "../storage/resolve.ts";
import type { Facts, SafePath } from "../storage/storage.ts";
import type { Change, ChangeRecord, ChangeSet, Effect, Expected } from "./changes/change.ts";
import type { CommitOptions } from "./changes/commit.ts";
import { staleFault } from "./changes/steps.ts";
import type { StorageAccess, WriteAccess } from "./storage-access.ts";

/** Names the changes of a set that belong to one storage. */
export interface Share {
  readonly part: StorageAccess;
  readonly changes: readonly Change[];
}

/** Commits a set to its storage. A move to another storage, and the undo of one, is a set for each; a copy is one. */
export async function commitToShares(
  shares: readonly Share[],
  set: ChangeSet,
  how: CommitOptions,
): Promise<ChangeRecord> {
  const [only, other] = shares as [Share, ...Share[]];
  if (!other) return writingOf(only).commit(set, how);
  return commitInOrder(set.undoes ? undoneIn(shares, set.undoes) : await carriedBetween(shares), how);
}

/** Throws for a storage that is only read. */
export function writingOf({ part, changes }: Share): WriteAccess {
  if (part.writing) return part.writing;
  const path = changes[0]?.path;
  throw new Fault("denied", `Cannot change ${JSON.stringify(path)}: its storage is read-only`, { path });
}

/** A set for one storage, with a check right before it is committed. */
interface OrderedSet extends Share {
  readonly undoes?: readonly string[];
  readonly check?: () => Promise<void>;
}

/**
 * Commits sets to several storages, one after the other, under one group id: undo takes them together. A set that
 * fails takes the ones before it back. A process that is killed in between leaves the copy and the original.
 */
async function commitInOrder(sets: readonly OrderedSet[], how: CommitOptions): Promise<ChangeRecord> {
  const group = sets.length > 1 ? randomBytes(GROUP_BYTES).toString("hex") : undefined;
  sets.forEach(writingOf);
  const records: ChangeRecord[] = [];
  try {
    for (const ordered of sets) {
      await ordered.check?.();
      const { changes, undoes } = ordered;
      records.push(await writingOf(ordered).commit({ changes, undoes, group }, how));
    }
  } catch (error) {
    for (const [nth, record] of [...records.entries()].toReversed())
      await takeBack(sets[nth] as OrderedSet, record, how);
    throw error;
  }
  const [first, ...others] = records as [ChangeRecord, ...ChangeRecord[]];
  return { ...first, effects: [...first.effects, ...others.flatMap(({ effects }) => effects)] };
}

const GROUP_BYTES = 8;

/**
 * Leaves what somebody else has changed since: the failure that is reported says what was refused. A call that was
 * cancelled is taken back as well.
 */
async function takeBack(
  ordered: OrderedSet,
  { id, effects }: ChangeRecord,
  { author, onCommit }: CommitOptions,
): Promise<void> {
  const changes = effects.toReversed().flatMap(inverseOf);
  await writingOf(ordered)
    .commit({ changes, undoes: [id] }, { author, onCommit, checkpoint: () => {} })
    .catch(() => {});
}

function inverseOf({ action, path, before, after, source }: Effect): readonly Change[] {
  const expect = after?.version;
  switch (action) {
    case "create":
    case "restore":
      return [{ kind: "remove", path, expect, into: source ?? "history" }];
    case "replace":
      return before?.object === undefined ? [] : [{ kind: "write", path, content: before.object, expect }];
    case "mkdir":
      return [{ kind: "remove", path, into: "history", unlessInUse: true }];
    case "delete":
      return before?.object === undefined ? [] : [{ kind: "restore", object: before.object, path, replaces: null }];
    case "append":
    case "move":
    case "copy":
    case "chmod":
      return [];
  }
}

/** Splits the undo of a group. The newest record was a removal, so what is brought back comes first. */
const undoneIn = (shares: readonly Share[], undoes: readonly string[]): readonly OrderedSet[] =>
  shares.map((share) => ({ ...share, undoes: undoes.filter((id) => share.part.history.read(id) !== null) }));

/** Changes that lead from one storage to another. */
export type Carrying = Extract<Change, { kind: "move" | "copy" }>;

export const isCarrying = (change: Change): change is Carrying => change.kind === "move" || change.kind === "copy";

/**
 * Turns a copy into new files in the other storage, and a move into those and a removal here, if nothing was changed
 * here meanwhile.
 */
async function carriedBetween(shares: readonly Share[]): Promise<readonly OrderedSet[]> {
  const changes = [...new Set(shares.flatMap((share) => share.changes))];
  const carrying = changes.find(isCarrying) as Carrying;
  const { kind, path, to, expect, replaces } = carrying;
  const [from, target] = [path, to].map((place) => partWith(shares, place)) as [StorageAccess, StorageAccess];
  const fingerprint = await from.prober.fingerprint(path, LIMITS.fingerprintedEntries);
  const requireUnchanged = async (): Promise<void> => {
    if ((await from.prober.fingerprint(path, LIMITS.fingerprintedEntries)) !== fingerprint) throw staleFault(path);
  };
  const copies = await copiesOf(from, target, carrying);
  const needed = changes.filter((change) => change.kind === "mkdir");
  const created = {
    part: target,
    changes: [...needed, ...copies],
    async check() {
      await requireUnchanged();
      await requireVersion(target, to, replaces);
    },
  };
  if (kind === "copy") return [created];
  const removed = { kind: "remove", path, expect, into: "history" } as const;
  return [created, { part: from, changes: [removed], check: requireUnchanged }];
}

const partWith = (shares: readonly Share[], place: SafePath): StorageAccess | undefined => {
  const { root } =
    innermostRoot(
      shares.flatMap(({ part }) => part.roots),
      place,
    ) ?? {};
  return shares.find(({ part }) => root !== undefined && part.roots.includes(root))?.part;
};

async function requireVersion({ prober }: StorageAccess, path: SafePath, expect: Expected): Promise<void> {
  if (expect !== undefined && ((await prober.snapshot(path))?.version ?? null) !== expect) throw staleFault(path);
}

/** Reads everything that is carried over. It is held in memory, so its size is limited. */
async function copiesOf(
  from: StorageAccess,
  target: StorageAccess,
  { kind: verb, path, to, expect, replaces }: Carrying,
): Promise<readonly Change[]> {
  await requireVersion(from, path, expect);
  const entries = await from.prober.entriesIn(path, LIMITS.fingerprintedEntries, () => false);
  const found = [...(entries ?? [])].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const bytes = found.reduce((sum, [, { kind, size }]) => sum + (kind === "file" ? size : 0), 0);
  if (!entries || bytes > LIMITS.editBytes) throw tooLargeFault(verb, path);
  const keepsModes = [from, target].every(({ writing }) => writing?.guarantees.permissions);
  const changes: Change[] = [];
  for (const [relativePath, facts] of found) {
    const isTop = relativePath === "";
    const place = isTop ? to : childOf(to, relativePath);
    if (facts.kind === "directory") changes.push({ kind: "mkdir", path: place });
    else {
      const content = await contentAt(from, verb, isTop ? path : childOf(path, relativePath), facts);
      const mode = keepsModes ? facts.mode & PERMISSIONS : undefined;
      changes.push({ kind: "write", path: place, content, expect: isTop ? replaces : null, mode });
    }
  }
  return changes;
}

const PERMISSIONS = 0o777;

async function contentAt(
  { prober }: StorageAccess,
  verb: Carrying["kind"],
  path: SafePath,
  { kind }: Facts,
): Promise<Uint8Array> {
  if (kind !== "file")
    throw new Fault(
      "special_file",
      `Cannot ${verb} ${JSON.stringify(path)} to another storage: it is no regular file`,
      {
        path,
      },
    );
  const content = await prober.contentOf(path);
  if (content) return content;
  throw staleFault(path);
}

const tooLargeFault = (verb: Carrying["kind"], path: SafePath): Fault =>
  new Fault("too_large", `Cannot ${verb} ${JSON.stringify(path)} to another storage: it is too large`, {
    path,
    hint: `Take less at once: at most ${LIMITS.editBytes} bytes and ${LIMITS.fingerprintedEntries} entries`,
  });
