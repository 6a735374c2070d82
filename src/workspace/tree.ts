import { isFault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { childOf } from "../base/paths.ts";
import type { Entry, OpenDirectory, SafePath } from "../storage/storage.ts";
import { createIgnoreRules, type IgnoreRules } from "../text/ignore.ts";
import { rulesFromAbove, rulesWithin } from "./ignore-files.ts";
import type { View } from "./view.ts";

export interface TreeWish {
  readonly depth: number;
  /** Entries shown at most. */
  readonly limit: number;
  /** Patterns as in a .gitignore of the directory where the tree begins. */
  readonly exclude: readonly string[];
  /** Also what .gitignore, .ignore and the usual list leave out. */
  readonly includeIgnored: boolean;
  readonly includeHidden: boolean;
}

/** A directory or file of a tree. What did not fit is counted, not listed. */
export interface Branch {
  readonly name: string;
  readonly kind: Entry["kind"];
  readonly place: SafePath;
  children: Branch[];
  /** Entries left out here for want of room. */
  folded: number;
  /** Why a directory was not opened. */
  closed?: "depth" | "room" | "denied";
}

export interface Tree {
  readonly top: Branch;
  readonly shown: number;
  /** Entries met, shown or folded. */
  readonly total: number;
  /** Every directory that may be opened was: `total` is all there is to see. */
  readonly complete: boolean;
}

/** Level by level, so that what is near is shown first and one huge directory cannot crowd out the rest. */
export async function growTree(view: View, path: string, wish: TreeWish): Promise<Tree> {
  const start = await view.withDirectory(path, async ({ facts }) => facts.path);
  const top: Branch = { name: path, kind: "directory", place: start, children: [], folded: 0 };
  const own = createIgnoreRules(wish.exclude, !wish.includeIgnored);
  const rules = wish.includeIgnored ? own : await rulesFromAbove(view, own, start);
  const growth: Growth = {
    view,
    wish,
    waiting: [{ branch: top, way: "", rules, depth: 0 }],
    folds: [],
    shown: 0,
    total: 0,
    complete: true,
  };
  for (let opened = 0; growth.waiting.length > 0 || unfold(growth); opened++) {
    const next = growth.waiting.shift();
    if (!next) continue;
    await view.breathe();
    if (opened < LIMITS.walkDirectories && growth.shown < wish.limit) await open(growth, next);
    else close(growth, next.branch, "room");
    view.progress(growth.total);
  }
  return { top, shown: growth.shown, total: growth.total, complete: growth.complete };
}

interface Waiting {
  readonly branch: Branch;
  readonly way: string;
  readonly rules: IgnoreRules;
  readonly depth: number;
}

/** Entries of a directory that its share had no room for. */
interface Fold {
  readonly at: Waiting;
  readonly rest: readonly Entry[];
}

interface Growth {
  readonly view: View;
  readonly wish: TreeWish;
  readonly waiting: Waiting[];
  readonly folds: Fold[];
  shown: number;
  total: number;
  complete: boolean;
}

function close(growth: Growth, branch: Branch, why: NonNullable<Branch["closed"]>): void {
  branch.closed = why;
  if (why !== "denied") growth.complete = false;
}

/** A directory that vanished or may not be read stays a closed branch; the rest of the tree is not spoiled. */
async function open(growth: Growth, at: Waiting): Promise<void> {
  if (at.depth >= growth.wish.depth) return close(growth, at.branch, "depth");
  try {
    await growth.view.withDirectory(at.branch.place, (directory) => fill(growth, at, directory));
  } catch (error) {
    if (at.depth === 0 || !isFault(error) || error.code === "cancelled") throw error;
    close(growth, at.branch, "denied");
  }
}

async function fill(growth: Growth, at: Waiting, directory: OpenDirectory): Promise<void> {
  const entries = await growth.view.entriesOf(directory);
  const rules = await rulesAt(growth, at, entries);
  const kept = await keptOf(growth, at, rules, entries);
  growth.total += kept.length;
  show(growth, { ...at, rules }, kept, roomFor(growth));
}

/** Shows what there is room for; the rest is folded, and comes out again when others leave room. */
function show(growth: Growth, at: Waiting, entries: readonly Entry[], room: number): void {
  for (const { name, kind, raw } of entries.slice(0, room)) {
    const branch: Branch = { name, kind, place: childOf(at.branch.place, name), children: [], folded: 0 };
    at.branch.children.push(branch);
    growth.shown++;
    if (kind !== "directory") continue;
    if (raw) close(growth, branch, "denied");
    else growth.waiting.push({ branch, way: wayTo(at.way, name), rules: at.rules, depth: at.depth + 1 });
  }
  const rest = entries.slice(room);
  at.branch.folded = rest.length;
  if (rest.length > 0) growth.folds.push({ at, rest });
}

/** Once nothing waits, what was folded first gets the room that is left. Whether there was any. */
function unfold(growth: Growth): boolean {
  const room = growth.wish.limit - growth.shown;
  const fold = room > 0 ? growth.folds.shift() : undefined;
  if (fold) show(growth, fold.at, fold.rest, room);
  return fold !== undefined;
}

const rulesAt = ({ view, wish }: Growth, { branch, way, rules }: Waiting, entries: readonly Entry[]) =>
  wish.includeIgnored ? rules : rulesWithin(view, rules, branch.place, way, entries);

async function keptOf(
  { view, wish }: Growth,
  { way }: Waiting,
  rules: IgnoreRules,
  entries: readonly Entry[],
): Promise<readonly Entry[]> {
  const kept: Entry[] = [];
  for (const entry of entries) {
    const { name, kind } = entry;
    await view.breathe();
    if (!wish.includeHidden && name.startsWith(".")) continue;
    if (!rules.ignores(wayTo(way, name), kind === "directory")) kept.push(entry);
  }
  return kept.toSorted(directoriesFirst);
}

/** A fair share of what is left, so that directories still waiting get some too. */
const roomFor = ({ wish, shown, waiting }: Growth): number =>
  Math.max(1, Math.floor((wish.limit - shown) / Math.max(1, Math.min(waiting.length, 4))));

const wayTo = (way: string, name: string): string => (way === "" ? name : `${way}/${name}`);

const directoriesFirst = (a: Entry, b: Entry): number =>
  Number(b.kind === "directory") - Number(a.kind === "directory") || (a.name < b.name ? -1 : 1);
