import { childOf, parentOf, relativePath } from "../../base/paths.ts";
import type { Facts, SafePath } from "../../storage/storage.ts";
import { globsOf } from "../../text/glob/glob.ts";
import { createGlobSet } from "../../text/glob/glob-set.ts";
import type { RecentChange, RecentChanges } from "../changes/recent-changes.ts";
import type { View } from "../view.ts";
import type { EventType, WatchEvent } from "./event-queue.ts";
import { isReported, type WatchScope } from "./watch-scope.ts";
import type { FileEvent } from "./reconcile.ts";

/** Selects the events that are reported. */
export interface WatchFilter {
  readonly scope: WatchScope;
  readonly types: readonly EventType[];
  /** A glob for paths relative to the target. */
  readonly pattern: string | undefined;
}

/** Converts file events into the requested watch events, in the same order. */
export type EventMapper = (fileEvents: readonly FileEvent[]) => readonly WatchEvent[];

export function createEventMapper(filter: WatchFilter, view: View, recent: RecentChanges): EventMapper {
  const { scope, types, pattern } = filter;
  const fits = patternCheck(filter);
  // The view checks visibility again, because rules may have changed since the name was seen.
  const isSelected = (place: SafePath, isDirectory: boolean): boolean =>
    isReported(scope, place) && fits(place, isDirectory) && view.isVisible(place);
  return function mapEvents(fileEvents) {
    const idOf = changeIdsOf(fileEvents, recent);
    const event = (type: EventType, place: SafePath, from?: SafePath): readonly WatchEvent[] => {
      if (!types.includes(type)) return [];
      const id = idOf(place, type === "delete");
      const origin = from === undefined ? {} : { from: view.nameOf(from) };
      return [{ type, path: view.nameOf(place), ...origin, ...(id !== undefined && { change_id: id }) }];
    };
    /** Reports a rename as a create or a delete if only one end is selected. */
    const moved = (from: SafePath, to: SafePath, isDirectory: boolean): readonly WatchEvent[] => {
      const [reportsFrom, reportsTo] = [isSelected(from, isDirectory), isSelected(to, isDirectory)];
      if (reportsFrom && reportsTo && types.includes("rename")) return event("rename", to, from);
      return [...(reportsFrom ? event("delete", from) : []), ...(reportsTo ? event("create", to) : [])];
    };
    return fileEvents.flatMap((each) => {
      const isDirectory = each.type === "delete" ? each.isDirectory : each.facts.kind === "directory";
      if (each.type !== "rename") return isSelected(each.place, isDirectory) ? event(each.type, each.place) : [];
      const { from, place, descendants } = each;
      const self = moved(from, place, isDirectory);
      // One event stands for a whole directory, unless a pattern selects only some of its entries.
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

/** Creates a check of a place against the pattern. */
function patternCheck({ scope: { target }, pattern }: WatchFilter): (place: SafePath, isDirectory: boolean) => boolean {
  if (pattern === undefined) return () => true;
  const globs = createGlobSet(globsOf(pattern, "pattern"));
  return (place, isDirectory) => {
    const path = relativePath(place === target ? parentOf(target) : target, place);
    const cut = path.lastIndexOf("/");
    return globs.last(path.slice(0, Math.max(cut, 0)), path.slice(cut + 1), isDirectory) >= 0;
  };
}

/** Finds the change of this workspace behind an event. A change to a whole tree also explains events below its top. */
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
