import * as z from "zod";
import { builtinTool } from "../../../app/catalogue.ts";
import { Fault } from "../../../base/errors.ts";
import { isRecord } from "../../../base/json.ts";
import { LIMITS } from "../../../base/limits.ts";
import { isoOf } from "../../../base/time.ts";
import type { PastChange } from "../../../runtime/change-history.ts";
import type { ChangeEntry, Timeline, TimelineEvent } from "../contract.ts";
import { auditLines, type AuditPosition } from "./audit-lines.ts";
import { type AuditRecord, auditRecordIn } from "./audit-record.ts";
import { changeEntryOf, mentions } from "./change-entry.ts";
import { type ApiCall, countText, type Endpoint, idText, parsed, searchText } from "./endpoint.ts";
import { listJobs } from "./jobs.ts";
import { wholeHistory } from "./scope.ts";

const query = z.strictObject({
  session: idText.optional(),
  search: searchText.optional(),
  before: z.string().optional(),
  limit: countText.optional(),
});

/** Reads the audit log from its end, and adds to each call the change, the job or the question that came of it. */
export const timeline: Endpoint = {
  method: "GET",
  path: "/api/timeline",
  async handle(call): Promise<Timeline> {
    const { session, search = "", before, limit = LIMITS.consoleEntries } = parsed(query, call.query);
    const most = Math.min(limit, LIMITS.consoleEntriesMost);
    const toEvent = await eventsFor(call);
    const events: TimelineEvent[] = [];
    let bytes = 0;
    let last: AuditPosition | undefined;
    for (const { text, at } of auditLines(
      call.app.stateDirectory,
      before === undefined ? undefined : positionIn(before),
    )) {
      if (events.length >= most || bytes > LIMITS.consoleScanBytes)
        return { events, ...(last && { before: cursorOf(last) }) };
      bytes += text.length;
      last = at;
      const record = auditRecordIn(text);
      if (!record || !isShown(record) || (session !== undefined && record.session !== session)) continue;
      const event = await toEvent(record);
      if (isAbout(event, search.toLowerCase())) events.push(event);
    }
    return { events };
  },
};

const cursorOf = ({ day, offset }: AuditPosition): string => `${day}.${offset}`;

function positionIn(cursor: string): AuditPosition {
  const [, day, offset] = /^(\d{4}-\d{2}-\d{2})\.(\d{1,15})$/.exec(cursor) ?? [];
  if (day !== undefined) return { day, offset: Number(offset) };
  throw new Fault("invalid_input", "Cannot go on from there: this is no cursor of the timeline");
}

/** Leaves out what people only looked at or tried: a preview in the console is no news. */
const isShown = ({ principal, change, tool }: AuditRecord): boolean =>
  principal === "agent" || change !== undefined || builtinTool(tool) === undefined;

const isAbout = ({ subject, tool, code, agent, message = "", change }: TimelineEvent, words: string): boolean =>
  [subject, tool, code, agent, message].some((text) => text.toLowerCase().includes(words)) ||
  (change !== undefined && mentions(change, words));

/** Prepares to describe calls, newest first. */
async function eventsFor(call: ApiCall): Promise<(record: AuditRecord) => Promise<TimelineEvent>> {
  const changeWith = createChangeFinder(call);
  const jobs = await listJobs(call);
  const questions = call.app.approvals.list();
  return async (record) => {
    const { time, session, principal, tool, code, ms, chain, n } = record;
    const change = record.change === undefined ? undefined : await changeWith(record.change);
    const kind = kindOf(record, change);
    const during = (timeMs: number): boolean => timeMs >= time && timeMs <= time + ms;
    const subject = subjectOf(record.input);
    const job =
      kind === "command"
        ? jobs.find((each) => each.session === session && each.command === subject && during(Date.parse(each.started)))
        : undefined;
    const question =
      kind === "asked" ? questions.find((each) => each.session === session && during(each.askedMs)) : undefined;
    const message = messageOf(record);
    return {
      id: `${chain}-${n}`,
      time: isoOf(time),
      session,
      agent: call.sessions.agentOf(session),
      principal,
      tool,
      kind,
      subject,
      code,
      ...(message !== "" && { message }),
      ms,
      ...(change && { change }),
      ...(job && { job: job.job_id }),
      ...(question && { question: question.id }),
    };
  };
}

/** Finds changes in one walk through the history, since calls are described newest first as well. */
function createChangeFinder(call: ApiCall): (id: string) => Promise<ChangeEntry | undefined> {
  const history = wholeHistory(call);
  const walk = history.changes();
  const passed = new Map<string, PastChange>();
  let oldest: string | undefined;
  return async function changeWith(id) {
    while (oldest === undefined || oldest > id) {
      const { done, value } = await walk.next();
      if (done) break;
      passed.set(value.id, value);
      oldest = value.id;
    }
    const change = passed.get(id);
    return change && changeEntryOf(change, history, call.sessions);
  };
}

function kindOf(
  { tool, code, change: id, decision }: AuditRecord,
  change: ChangeEntry | undefined,
): TimelineEvent["kind"] {
  if (id !== undefined && ((change && change.undoes.length > 0) || tool === "undo")) return "undo";
  if (code === "pending" || tool === "approval") return "asked";
  if (decision?.verdict === "blocked" || BLOCKED.has(code)) return "blocked";
  const known = builtinTool(tool);
  if (COMMAND_TOOLS.has(known?.name ?? "")) return "command";
  if (id !== undefined) return "change";
  if (code !== "ok") return "failed";
  return known?.annotations.readOnlyHint ? "read" : "other";
}

const BLOCKED: ReadonlySet<string> = new Set(["denied", "outside_workspace", "approval", "loop"]);
const COMMAND_TOOLS: ReadonlySet<string> = new Set(["exec", "process"]);

/** Says why a call was refused or asked about, and how a question was answered. */
function messageOf({ tool, code, decision, input }: AuditRecord): string {
  if (tool === "approval") return `${code} by ${isRecord(input) ? String(input["by"]) : "somebody"}`;
  if (code === "ok") return "";
  const reasons = (decision?.reasons ?? []).filter((reason) => reason !== code);
  return reasons.length > 0 ? reasons.join("; ") : (FAILURES[code] ?? "");
}

/** Says in a few words why a call failed, where its record holds only the code. */
const FAILURES: Readonly<Record<string, string>> = {
  invalid_input: "arguments that the tool does not take",
  unknown_tool: "there is no such tool",
  outside_workspace: "outside of the directories",
  not_found: "it does not exist",
  not_a_file: "it is not a file",
  not_a_directory: "it is not a directory",
  no_permission: "the system forbids it",
  not_text: "it is not text",
  no_match: "text not found, nothing changed",
  many_matches: "text found in several places, nothing changed",
  no_change: "nothing to change",
  overlap: "edits overlap, nothing changed",
  bad_patch: "the patch has an error, nothing changed",
  too_large: "too large",
  exists: "it exists already, nothing changed",
  not_empty: "the directory is not empty, nothing changed",
  conflict: "conflict, nothing changed",
  stale: "changed since it was read, nothing changed",
  disk_full: "the disk is full, nothing changed",
  read_only: "the disk is read-only, nothing changed",
  busy: "busy, nothing changed",
  cancelled: "cancelled by the client",
  timeout: "it took too long",
  loop: "repeated too often",
  expired: "nobody answered in time",
  tool_error: "the tool failed",
};

/** Names what a call was about by its arguments. */
function subjectOf(input: unknown): string {
  if (!isRecord(input)) return "";
  const texts = SUBJECTS.flatMap((name) => textsIn(input[name]));
  const [first = "", ...others] = texts;
  const to = textsIn(input["destination"])[0];
  if (to !== undefined) return `${first} → ${to}`;
  return others.length === 0 || input["paths"] === undefined ? first : `${first} and ${others.length} more`;
}

/** Lists the arguments that say what a call is about, the best first. */
const SUBJECTS = [
  "command",
  "path",
  "paths",
  "source",
  "pattern",
  "query",
  "change_id",
  "trash_id",
  "url",
  "id",
  "tool",
  "ids",
];

const textsIn = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((each): each is string => typeof each === "string" && each !== "");
