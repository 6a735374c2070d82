import { childOf, parentOf, relativePath } from "../../base/paths.ts";
import type { Facts, SafePath } from "../../storage/storage.ts";
import { globsOf } from "../../text/glob/glob.ts";
import { createGlobSet } from "../../text/glob/glob-set.ts";
import type { RecentChange, RecentChanges } from "../changes/recent-changes.ts";
import type { View } from "../view.ts";
import type { EventType, WatchEvent } from "./event-queue.ts";
import { isReported, type WatchScope } from "./watch-scope.ts";
import type { FileEvent } from "./reconcile.ts";

/** What is to be told. */
export interface WatchFilter {
  readonly scope: WatchScope;
  readonly types: readonly EventType[];
  /** A glob over paths from the target on. */
  readonly pattern: string | undefined;
}

/** Turns what happened into the events that were wished for, in the same order. */
export type EventMapper = (happened: readonly FileEvent[]) => readonly WatchEvent[];

export function createEventMapper(filter: WatchFilter, view: View, recent: RecentChanges): EventMapper {
  const { scope, types, pattern } = filter;
  const fits = patternCheck(filter);
  const isTold = (place: SafePath, isDirectory: boolean): boolean =>
    isReported(scope, place) && fits(place, isDirectory) && view.isVisible(place);
  return function tell(fileEvents) {
    const idOf = changeIdsOf(fileEvents, recent);
    const event = (type: EventType, place: SafePath, from?: SafePath): readonly WatchEvent[] => {
      if (!types.includes(type)) return [];
      const id = idOf(place, type === "delete");
      const origin = from === undefined ? {} : { from: view.nameOf(from) };
      return [{ type, path: view.nameOf(place), ...origin, ...(id !== undefined && { change_id: id }) }];
    };
    /** Where only one end is told of, something came or went. */
    const moved = (from: SafePath, to: SafePath, isDirectory: boolean): readonly WatchEvent[] => {
      const [leaves, comes] = [isTold(from, isDirectory), isTold(to, isDirectory)];
      if (leaves && comes && types.includes("rename")) return event("rename", to, from);
      return [...(leaves ? event("delete", from) : []), ...(comes ? event("create", to) : [])];
    };
    return fileEvents.flatMap((each) => {
      const isDirectory = each.type === "delete" ? each.isDirectory : each.facts.kind === "directory";
      if (each.type !== "rename") return isTold(each.place, isDirectory) ? event(each.type, each.place) : [];
      const { from, place, descendants } = each;
      const self = moved(from, place, isDirectory);
      // One event speaks for a whole directory, unless only some of what is in it was asked for.
      if (pattern === undefined) return self;
      return [
        ...self,
        ...descendants.flatMap(({ subpath, isDirectory: isInner }) =>
          moved(childOf(from, subpath), childOf(place, subpath), isInner),
        ),
      ];
    });
  };
}

/** Rules may have changed since a name was seen. */
function patternCheck({ scope: { target }, pattern }: WatchFilter): (place: SafePath, isDirectory: boolean) => boolean {
  if (pattern === undefined) return () => true;
  const globs = createGlobSet(globsOf(pattern, "pattern"));
  return (place, isDirectory) => {
    const way = relativePath(place === target ? parentOf(target) : target, place);
    const cut = way.lastIndexOf("/");
    return globs.last(way.slice(0, Math.max(cut, 0)), way.slice(cut + 1), isDirectory) >= 0;
  };
}

/** The changes of ours that did it. What happened to a whole tree at once was done by whoever did it to its top. */
function changeIdsOf(fileEvents: readonly FileEvent[], recent: RecentChanges): ChangeIdOf {
  const own = { gone: new Map<string, RecentChange>(), here: new Map<string, RecentChange>() };
  const remember = (place: SafePath, now: Facts | null): void => {
    const made = recent.madeBy(place, now);
    if (made) (now ? own.here : own.gone).set(place, made);
  };
  for (const each of fileEvents) {
    remember(each.place, each.type === "delete" ? null : each.facts);
    if (each.type === "rename") remember(each.from, null);
  }
  return function idOf(place, isGone) {
    const by = isGone ? own.gone : own.here;
    const direct = by.get(place);
    if (direct || by.size === 0) return direct?.id;
    for (let above = parentOf(place); above !== "/"; above = parentOf(above)) {
      const made = by.get(above);
      if (made) return made.isTree ? made.id : undefined;
    }
    return undefined;
  };
}

type ChangeIdOf = (place: SafePath, isGone: boolean) => string | undefined;
