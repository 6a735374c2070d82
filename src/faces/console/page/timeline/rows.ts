import type { TimelineEvent } from "../../contract.ts";
import { pathParts } from "../format/path-parts.ts";
import { counted } from "../format/quantity.ts";
import { quietText } from "../format/time.ts";

/** A line of the timeline: an event, several reads folded into one, or a labelled pause. */
export type TimelineRow =
  | { readonly kind: "event"; readonly id: string; readonly event: TimelineEvent }
  | { readonly kind: "fold"; readonly id: string; readonly text: string; readonly events: readonly TimelineEvent[] }
  | { readonly kind: "gap"; readonly id: string; readonly text: string };

/** A pause of this length is worth a line. */
const QUIET_MS = 5 * 60_000;

/** Folds reads of one session in a row into one line, and puts a line where nothing happened for five minutes. */
export function timelineRows(events: readonly TimelineEvent[]): readonly TimelineRow[] {
  return groupsOf(events).flatMap((group, index, groups) => {
    const pause = pauseBetween(groups[index - 1], group);
    return pause === undefined ? [rowOf(group)] : [pause, rowOf(group)];
  });
}

type Group = readonly [TimelineEvent, ...TimelineEvent[]];

function groupsOf(events: readonly TimelineEvent[]): readonly Group[] {
  const groups: Group[] = [];
  for (const event of events) {
    const last = groups.at(-1);
    if (last && foldsInto(last, event)) groups[groups.length - 1] = [...last, event];
    else groups.push([event]);
  }
  return groups;
}

function foldsInto([first, ...rest]: Group, event: TimelineEvent): boolean {
  const before = rest.at(-1) ?? first;
  const isClose = Date.parse(before.time) - Date.parse(event.time) < QUIET_MS;
  return isPlainRead(first) && isPlainRead(event) && first.session === event.session && isClose;
}

/** A read with a message has something to tell, such as hidden secrets, and stays a line of its own. */
const isPlainRead = ({ kind, code, message }: TimelineEvent): boolean =>
  kind === "read" && code === "ok" && message === undefined;

function pauseBetween(later: Group | undefined, earlier: Group): TimelineRow | undefined {
  const from = later?.at(-1);
  if (!from) return undefined;
  const ms = Date.parse(from.time) - Date.parse(earlier[0].time);
  return ms < QUIET_MS ? undefined : { kind: "gap", id: `gap-${from.id}`, text: quietText(ms / 1000) };
}

/** A fold is named by its oldest read: newer ones that join it do not rename it. */
function rowOf(group: Group): TimelineRow {
  const [event] = group;
  if (group.length === 1) return { kind: "event", id: event.id, event };
  return { kind: "fold", id: `fold-${group.at(-1)?.id ?? event.id}`, text: foldText(group), events: group };
}

/** Says what was read: "14 reads, 3 searches", or "9 reads in src/rates/" if all were in one directory. */
function foldText(events: readonly TimelineEvent[]): string {
  const nouns = events.map(({ tool }) => nounOf(tool));
  const counts = NOUNS.map(
    ([noun, nounPlural]) => [nouns.filter((each) => each === noun).length, noun, nounPlural] as const,
  );
  const text = counts.filter(([count]) => count > 0).map(([count, noun, many]) => counted(count, noun, many));
  const directories = new Set(events.map(({ subject }) => pathParts(subject).directory));
  const [directory = ""] = directories;
  const isOnePlace = directories.size === 1 && directory !== "" && nouns.every((noun) => noun === "read");
  return isOnePlace ? `${text.join(", ")} in ${directory}` : text.join(", ");
}

const NOUNS = [
  ["read", "reads"],
  ["search", "searches"],
  ["listing", "listings"],
] as const;

function nounOf(tool: string): (typeof NOUNS)[number][0] {
  if (/grep|find|glob|search/i.test(tool)) return "search";
  return /^(ls|list|tree|stat|info)|directory/i.test(tool) ? "listing" : "read";
}
