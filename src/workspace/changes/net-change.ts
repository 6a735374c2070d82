import { isWithin } from "../../base/paths.ts";
import { LIMITS } from "../../base/limits.ts";
import type { SafePath } from "../../storage/storage.ts";
import { comparedContents, contentsOf, type FileDiff } from "./change-diff.ts";
import type { Effect } from "./change.ts";
import type { ShownChange } from "./shown-change.ts";
import type { View } from "../view.ts";

/** Says what several changes, such as those of a session, sum up to for one file. */
export interface NetEffect {
  readonly path: SafePath;
  /** The path before the first move, where there was one. */
  readonly from?: SafePath;
  readonly action: "create" | "replace" | "delete" | "move";
  /** Its effects, oldest first. */
  readonly effects: readonly Effect[];
  /** Those of the changes that touched it, oldest first. */
  readonly changes: readonly string[];
  /** The sessions of other changes of it. */
  readonly others: readonly string[];
  readonly roots: readonly string[];
}

/** A change that may have been undone as a whole. */
interface Judged extends ShownChange {
  readonly isUndone: boolean;
}

/** Sums up the changes of a session that are in effect. Directories and permissions count for nothing. */
export async function netEffectsOf(newestFirst: AsyncIterable<Judged>, session: string): Promise<readonly NetEffect[]> {
  const own: Kept[] = [];
  const authors = new Map<string, Set<string>>();
  const undoneAt = new Map<string, string[]>();
  let seen = 0;
  for await (const change of newestFirst) {
    if (seen++ === LIMITS.consoleChanges) break;
    const { id, isUndone, undoes, undoneAt: place } = change;
    if (isUndone) continue;
    for (const undone of undoes ?? []) if (place !== undefined) listIn(undoneAt, undone).push(place);
    if (undoes) continue;
    const isInEffect = ({ path }: Effect): boolean => !undoneAt.get(id)?.some((undone) => isWithin(path, undone));
    const effects = change.effects.filter((effect) => effect.action !== "chmod" && isInEffect(effect));
    for (const { path } of effects) authors.set(path, (authors.get(path) ?? new Set()).add(change.session));
    if (change.session === session) own.push({ change, effects });
  }
  return joined(own.toReversed()).map((net) => ({
    ...net,
    others: [...(authors.get(net.path) ?? [])].filter((author) => author !== session),
  }));
}

/**
 * Sums up the changes with these ids as they were made, also those that were undone: an undo is a change as well.
 * Changes that lie between them are not left out of the contents, so their sessions are named.
 */
export async function netEffectsOfChanges(
  newestFirst: AsyncIterable<ShownChange>,
  ids: ReadonlySet<string>,
): Promise<readonly NetEffect[]> {
  const chosen: Kept[] = [];
  const between: ShownChange[] = [];
  for await (const change of newestFirst) {
    if (chosen.length === ids.size) break;
    if (ids.has(change.id)) chosen.push({ change, effects: change.effects.filter(({ action }) => action !== "chmod") });
    else if (chosen.length > 0) between.push(change);
  }
  return joined(chosen.toReversed())
    .filter(isDifference)
    .map((net) => ({ ...net, others: sessionsOf(between, net.path) }));
}

/** Recognizes a file that is in the end as it was in the beginning. */
const isDifference = ({ action, effects }: Omit<NetEffect, "others">): boolean =>
  action !== "replace" || effects[0]?.before?.version !== effects.at(-1)?.after?.version;

const sessionsOf = (changes: readonly ShownChange[], path: SafePath): readonly string[] => [
  ...new Set(changes.filter(({ effects }) => effects.some((each) => each.path === path)).map(({ session }) => session)),
];

/** A change with its effects that are still in effect. */
interface Kept {
  readonly change: ShownChange;
  readonly effects: readonly Effect[];
}

function listIn(lists: Map<string, string[]>, key: string): string[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

interface Chain {
  readonly start: SafePath;
  readonly effects: Effect[];
  readonly changes: Set<string>;
  readonly roots: readonly string[];
}

/** Joins the effects on each file, and follows it where it was moved. */
function joined(oldestFirst: readonly Kept[]): readonly Omit<NetEffect, "others">[] {
  const chains = new Map<SafePath, Chain>();
  for (const { change, effects } of oldestFirst)
    for (const effect of effects) {
      if (effect.action === "mkdir") continue;
      const before = effect.action === "move" ? (effect.from ?? effect.path) : effect.path;
      const roots = change.roots.map(({ path }) => path);
      const chain = chains.get(before) ?? { start: before, effects: [], changes: new Set(), roots };
      chains.delete(before);
      chain.effects.push(effect);
      chain.changes.add(change.id);
      chains.set(effect.path, chain);
    }
  return [...chains].flatMap(([path, chain]) => netOf(path, chain));
}

/** Returns nothing for a file that came and went. */
function netOf(path: SafePath, { start, effects, changes, roots }: Chain): readonly Omit<NetEffect, "others">[] {
  const [first, last] = [effects[0], effects.at(-1)];
  if (!first || !last) return [];
  const wasThere = first.action === "move" || first.before !== null;
  const isThere = last.after !== null;
  if (!wasThere && !isThere) return [];
  const action = !wasThere ? "create" : !isThere ? "delete" : start === path ? "replace" : "move";
  return [{ path, ...(wasThere && start !== path && { from: start }), action, effects, changes: [...changes], roots }];
}

/** Compares a file before the first and after the last of its changes. */
export async function netDiffOf({ path: place, from, action, effects }: NetEffect, view: View): Promise<FileDiff> {
  const [first, last] = [effects[0], effects.at(-1)];
  const [path, fromPath] = [view.nameOf(place), view.nameOf(from ?? place)];
  const named = { path, action, ...(from !== undefined && { from: fromPath }) };
  if (!first || !last || effects.every((effect) => effect.action === "move")) return named;
  const states = [first.before, last.after].filter((state) => state !== null);
  if (states.some(({ kind }) => kind !== "file")) return { ...named, note: "not a file" };
  if (states.some(({ size }) => size > LIMITS.editBytes)) return { ...named, note: "too large to compare" };
  const [[old], [, fresh]] = [await startOf(effects, view), await contentsOf(last, view)];
  if (!old || !fresh) return { ...named, note: "the backup of its content is gone" };
  const kind = action === "create" || action === "delete" ? action : "change";
  return { ...named, ...(await comparedContents(view, old, fresh, { path, fromPath, kind })) };
}

/** Finds the content before the first effect; a move changes none, so the next one that does knows it. */
function startOf(effects: readonly Effect[], view: View): ReturnType<typeof contentsOf> {
  const moved = effects.findIndex(({ action }) => action !== "move");
  const effect = effects[moved] ?? effects[0];
  return effect ? contentsOf(effect, view) : Promise.resolve([null, null]);
}
