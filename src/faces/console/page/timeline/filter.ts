import type { TimelineEvent } from "../../contract.ts";

/** The chips above the timeline, in their order. */
export const FILTERS = ["All", "Changes", "Waiting", "Blocked", "Commands"] as const;
export type Filter = (typeof FILTERS)[number];

const KINDS: Readonly<Record<Filter, readonly TimelineEvent["kind"][]>> = {
  All: ["read", "change", "undo", "command", "blocked", "asked", "failed", "other"],
  Changes: ["change", "undo"],
  Waiting: ["asked"],
  Blocked: ["blocked", "failed"],
  Commands: ["command"],
};

/** Returns the events of a filter. A command that changed files is a change as well. */
export const filtered = (events: readonly TimelineEvent[], filter: Filter): readonly TimelineEvent[] =>
  events.filter(({ kind, change }) => KINDS[filter].includes(kind) || (filter === "Changes" && change !== undefined));
