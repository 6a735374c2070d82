/**
 * The interface between the console's page and its server: types only, so that both are checked against the same words.
 * Every path of the interface begins with "/api". A request has the cookie of the login and the header `x-holdfast: 1`;
 * one that is not a GET also has the key of the login in `x-holdfast-key`. A refusal is `Refusal` with a status that is
 * not 2xx; a POST that has nothing to say answers `{}`. Times are ISO, paths are shown as the agent knows them. Names and
 * texts are raw: the page escapes them. Pages come in lists with a cursor; without one, all of it is there.
 */

/** GET /api/overview: what every screen shows. */
export interface Overview {
  readonly version: string;
  /** The version of Node that the server runs on. */
  readonly node: string;
  readonly containment: string;
  readonly roots: readonly string[];
  /** Counts the questions that wait for an answer. */
  readonly waiting: number;
  readonly oldestAsked?: string;
  readonly runningJobs: number;
  /** Counts the items in the trash. */
  readonly trash: number;
  /** Counts the rows of the health screen that are not good. */
  readonly needLook: number;
  /** Sums up the changes of the last hour; `undoable` counts those that are in effect and can be undone. */
  readonly lastHour: {
    readonly files: number;
    readonly added: number;
    readonly removed: number;
    readonly undoable: number;
  };
  readonly sessions: readonly SessionEntry[];
}

export interface SessionEntry {
  readonly id: string;
  readonly agent: string;
  readonly roots: readonly string[];
  readonly lastSeen: string;
  readonly changes: number;
}

/**
 * GET /api/timeline?session=&search=&before=<cursor>&limit=: calls and changes, newest first. A call that made a change
 * is one event, and so is a command that made one.
 */
export interface Timeline {
  readonly events: readonly TimelineEvent[];
  /** Is absent at the beginning of the log. */
  readonly before?: string;
}

export interface TimelineEvent {
  readonly id: string;
  readonly time: string;
  readonly session: string;
  readonly agent: string;
  readonly principal: "agent" | "user";
  readonly tool: string;
  /** Groups calls by meaning: several reads in a row are folded into one row. */
  readonly kind: "read" | "change" | "undo" | "command" | "blocked" | "asked" | "failed" | "other";
  /** Names what the call was about: a path, a command, a pattern. */
  readonly subject: string;
  /** Is "ok", or the code of the error. */
  readonly code: string;
  readonly message?: string;
  readonly ms: number;
  readonly change?: ChangeEntry;
  /** The job that a command started. */
  readonly job?: string;
  /** The question that an `asked` call waits for. */
  readonly question?: string;
}

/** GET /api/changes?session=&path=&search=&cursor=&limit=: the history, newest first. */
export interface ChangeList {
  readonly changes: readonly ChangeEntry[];
  readonly cursor?: string;
}

export interface ChangeEntry {
  readonly id: string;
  readonly time: string;
  readonly session: string;
  readonly agent: string;
  readonly principal: "agent" | "user";
  readonly tool: string;
  readonly command?: string;
  readonly files: readonly ChangedFile[];
  readonly undone: boolean;
  /** The changes that this one undid. */
  readonly undoes: readonly string[];
  /** Says why it cannot be undone, such as that its earlier contents are no longer kept. */
  readonly final?: string;
}

export interface ChangedFile {
  readonly path: string;
  /** The path before a move or a copy. */
  readonly from?: string;
  /** A past form: "created", "edited", "deleted", "moved". */
  readonly action: string;
  readonly added?: number;
  readonly removed?: number;
}

/** GET /api/changes/<id>?path=&line=: with a path, only the diff of that file; with a line, from there on. */
export interface ChangeDetail extends ChangeEntry {
  readonly diffs: readonly FileDiff[];
}

/**
 * GET /api/net?session=|changes=<id>,<id>&path=&line=: what the changes of a session that are in effect, or some named
 * changes, sum up to, for all files or one.
 */
export interface NetChange {
  readonly files: readonly NetFile[];
  /** Is there if a path was asked for. */
  readonly diff?: FileDiff;
}

export interface NetFile extends ChangedFile {
  /** Those of the changes that touched it, oldest first. */
  readonly changes: readonly string[];
  /** The sessions of other changes of it; some of their lines may be in the diff. */
  readonly others: readonly string[];
}

export interface FileDiff {
  readonly path: string;
  readonly from?: string;
  readonly action: string;
  readonly hunks: readonly Hunk[];
  /** Says why there are no hunks: binary, too large, no longer kept. */
  readonly note?: string;
  /** The first line that did not fit: the same request with `path=` and `line=` gives the rest. */
  readonly next?: number;
}

export interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  /** The heading around it, such as the function. */
  readonly heading?: string;
  readonly lines: readonly DiffLine[];
}

export interface DiffLine {
  readonly sign: " " | "+" | "-";
  readonly text: string;
  /** Ranges of characters that differ from the line on the other side. */
  readonly marks?: readonly (readonly [start: number, end: number])[];
}

/**
 * POST /api/undo. A dry run changes nothing: if the whole cannot be undone, each file is tried alone, so that `files`
 * holds those that can be undone and `conflicts` those that cannot. An undo that is not dry does all or nothing.
 */
export interface UndoRequest {
  /** One of `change` and `session` is given. */
  readonly change?: string;
  readonly session?: string;
  /** Undoes only this file, and what is below it. */
  readonly path?: string;
  readonly dryRun: boolean;
}

export interface UndoOutcome {
  readonly done: boolean;
  /** The change that undid it: undoing that one brings it back. */
  readonly change?: string;
  readonly files: readonly UndoneFile[];
  readonly conflicts: readonly UndoConflict[];
  readonly notes: readonly string[];
}

export interface UndoConflict {
  readonly path: string;
  readonly reason: string;
  /** The newest later change of the file, in previews of one change; without it, somebody else changed the file. */
  readonly later?: { readonly change: string; readonly agent: string; readonly time: string };
}

export interface UndoneFile {
  readonly path: string;
  readonly action: string;
  /** Says what stays: later edits that the undo leaves alone. */
  readonly keeps?: string;
}

/** GET /api/waiting: questions, oldest first, with those that were answered in the last hour. */
export interface WaitingList {
  readonly questions: readonly WaitingQuestion[];
}

export interface WaitingQuestion {
  readonly id: string;
  readonly state: "pending" | "allowed" | "denied" | "expired";
  readonly tool: string;
  readonly session: string;
  readonly agent: string;
  readonly asked: string;
  readonly expires: string;
  readonly reasons: readonly string[];
  readonly summary: string;
  readonly effects: readonly QuestionEffect[];
  readonly recoverable: boolean;
  /** Is false if the console may not answer it: the rules name other channels. */
  readonly answerable: boolean;
  /** Is false once the files are no longer as they were when it was asked. */
  readonly current: boolean;
  /** Is false where a yes can hold only once. */
  readonly repeatable: boolean;
  /** Is there once it was answered. */
  readonly answer?: AnswerRequest & { readonly time: string };
}

export interface QuestionEffect {
  readonly action: string;
  readonly path: string;
  readonly note?: string;
  readonly text?: string;
  readonly hunks?: readonly Hunk[];
}

/** POST /api/waiting/<id>: refused with `stale` if the files changed since it was asked. */
export interface AnswerRequest {
  readonly decision: "once" | "session" | "always" | "deny";
  readonly reason?: string;
}

/** GET /api/trash; POST /api/trash/<id>/restore (`{ to?: string }`, another path); POST /api/trash/purge-expired */
export interface TrashList {
  readonly items: readonly TrashEntry[];
}

export interface TrashEntry {
  readonly id: string;
  readonly path: string;
  readonly type: string;
  readonly files: number;
  readonly bytes: number;
  readonly deleted: string;
  readonly until: string;
  readonly expired: boolean;
  readonly session: string;
  readonly agent: string;
  readonly principal: "agent" | "user";
  /** Is true if something is at its path again. */
  readonly taken: boolean;
}

/** GET /api/jobs; POST /api/jobs/<id>/stop | apply | discard (apply: `{ prefer?: "ours" | "theirs" }`) */
export interface JobList {
  readonly jobs: readonly JobEntry[];
}

export interface JobEntry {
  readonly id: string;
  readonly state: "running" | "done" | "lost";
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  readonly stopped?: string;
  readonly command: string;
  readonly directory: string;
  readonly session: string;
  readonly agent: string;
  readonly started: string;
  readonly ended?: string;
  readonly detached: boolean;
  readonly outputBytes: number;
  readonly undo: "overlay" | "picture" | "none";
  readonly sandbox?: string;
  /** Is true once it has ended and its changes wait for `apply` or `discard`. */
  readonly changesWait: boolean;
  /** The change that it made. */
  readonly change?: string;
  /** The files that it changed, or that are held back until it ends. */
  readonly files?: readonly ChangedFile[];
}

/** GET /api/jobs/<id>/output?from=<cursor>: what was printed from there on. */
export interface JobOutput {
  readonly text: string;
  readonly cursor: number;
  readonly running: boolean;
}

/** GET /api/rules; POST /api/grants/<id>/revoke */
export interface RuleList {
  readonly rules: readonly RuleEntry[];
  readonly grants: readonly GrantEntry[];
  /** Says why a file of rules is not in force. */
  readonly problems: readonly string[];
}

export interface RuleEntry {
  readonly decide: string;
  readonly act: string;
  readonly path?: string;
  readonly reason?: string;
  /** Names the file and line, or "built in". */
  readonly origin: string;
}

/** Holds what a person answered for longer than once. */
export interface GrantEntry {
  readonly id: string;
  /** Names what is allowed: "write docs/**". */
  readonly what: string;
  /** Is absent if it is for anyone. */
  readonly session?: string;
  readonly agent?: string;
  /** Is absent if it ends with the session. */
  readonly until?: string;
}

/** GET /api/explain?act=&subject=: which rule decides about a path or a command (act `exec`). */
export interface Explanation {
  readonly verdict: string;
  readonly reasons: readonly string[];
  /** The rules that match, the one that decides first. */
  readonly matching: readonly RuleEntry[];
}

/** GET /api/health */
export interface Health {
  readonly rows: readonly HealthRow[];
  readonly history: Meter;
  readonly trash: Meter;
}

export interface HealthRow {
  readonly name: string;
  readonly text: string;
  /** Says in a sentence what that means. */
  readonly note?: string;
  readonly state: "good" | "look" | "bad";
}

export interface Meter {
  readonly count: number;
  readonly bytes: number;
  readonly mostBytes: number;
}

/** GET /api/export?session=&as=markdown|patch: a file to save. */

/** GET /api/events: server-sent events; the name of the event is what changed, and the page asks for it anew. */
export const LIVE_EVENTS = ["calls", "changes", "waiting", "jobs", "trash", "rules"] as const;

export type LiveEvent = (typeof LIVE_EVENTS)[number];

export interface Refusal {
  readonly error: { readonly code: string; readonly message: string; readonly hint?: string };
}
