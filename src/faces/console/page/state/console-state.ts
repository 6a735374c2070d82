import { computed, effect, signal } from "@preact/signals";
import type {
  ChangeList,
  Health,
  JobList,
  LiveEvent,
  NetChange,
  Overview,
  RuleList,
  SessionEntry,
  Timeline,
  TrashList,
  WaitingList,
} from "../../contract.ts";
import { get } from "./api.ts";
import { createResource, type Resource } from "./resource.ts";

/** The session that lists are limited to; all of them without one. */
export const session = signal<string | undefined>(undefined);
export const search = signal("");
/** The number of events and changes that are asked for; it grows when the person asks for earlier ones. */
export const pageSize = signal(200);

export const overview = createResource(() => get<Overview>("/api/overview"));
export const timeline = createResource(() =>
  get<Timeline>("/api/timeline", { session: session.value, search: search.value, limit: String(pageSize.value) }),
);
export const waiting = createResource(() => get<WaitingList>("/api/waiting"));
export const changes = createResource(() =>
  get<ChangeList>("/api/changes", { session: session.value, search: search.value, limit: String(pageSize.value) }),
);
export const trash = createResource(() => get<TrashList>("/api/trash"));
export const jobs = createResource(() => get<JobList>("/api/jobs"));
export const rules = createResource(() => get<RuleList>("/api/rules"));
export const health = createResource(() => get<Health>("/api/health"));

export const sessions = computed<readonly SessionEntry[]>(() => overview.value.value?.sessions ?? []);

/** The tree of files is of one session: the one that lists are limited to, or the last that was seen. */
export const fileSession = computed(() => session.value ?? latest(sessions.value)?.id);
export const net = createResource<NetChange>(async () =>
  fileSession.value === undefined ? { files: [] } : get<NetChange>("/api/net", { session: fileSession.value }),
);

const latest = (entries: readonly SessionEntry[]): SessionEntry | undefined =>
  entries.toSorted((one, other) => (one.lastSeen < other.lastSeen ? 1 : -1))[0];

const ALL: readonly Resource<unknown>[] = [overview, timeline, waiting, changes, trash, jobs, rules, health, net];

/** Says what to ask for anew when the server says that something changed. */
const AFFECTED: Readonly<Record<LiveEvent, readonly Resource<unknown>[]>> = {
  calls: [timeline, overview],
  changes: [timeline, changes, net, overview],
  waiting: [waiting, timeline, overview],
  jobs: [jobs, timeline, overview],
  trash: [trash, overview],
  rules: [rules, health, overview],
};

/** Counts the reports of each kind, for what a component asks for itself. */
export const reports = signal<Readonly<Record<LiveEvent, number>>>({
  calls: 0,
  changes: 0,
  waiting: 0,
  jobs: 0,
  trash: 0,
  rules: 0,
});

export function refreshAfter(event: LiveEvent): void {
  reports.value = { ...reports.peek(), [event]: reports.peek()[event] + 1 };
  for (const resource of AFFECTED[event]) void resource.refresh();
}

export function refreshAll(): void {
  for (const resource of ALL) void resource.refresh();
}

/** Asks anew for what depends on the session and the search. */
export function followFilters(): void {
  effect(() => {
    void [session.value, search.value, pageSize.value];
    void timeline.refresh();
    void changes.refresh();
  });
  effect(() => {
    void fileSession.value;
    void net.refresh();
  });
}
