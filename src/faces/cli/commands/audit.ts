import { resolve } from "node:path";
import * as z from "zod";
import { builtinTool } from "../../../app/catalogue.ts";
import { CODES, Fault } from "../../../base/errors.ts";
import { someString } from "../../../base/json.ts";
import { LIMITS } from "../../../base/limits.ts";
import { isWithin } from "../../../base/paths.ts";
import { parseStored } from "../../../base/stored-json.ts";
import { isoOf } from "../../../base/time.ts";
import type { AuditFile } from "../../../runtime/audit/audit.ts";
import { checkAudit } from "../../../runtime/audit/verify-chain.ts";
import { matchesTool, plainName } from "../../../runtime/tools/match-tool.ts";
import { plural } from "../../../text/plural.ts";
import { quoted, visible } from "../../../text/quote.ts";
import { didYouMean, quotedInput } from "../../../text/did-you-mean.ts";
import { shortSession } from "../changes.ts";
import type { CliWorkspace } from "../cli-workspace.ts";
import type { CliSettings } from "../flags.ts";
import { createProgressBar } from "../progress-bar.ts";
import { withScope } from "../scope.ts";
import { formatTable, type Cell, localTime, print, colored, warn } from "../terminal.ts";
import { wrongVerb } from "../wrong-verb.ts";

/**
 * Runs `holdfast audit show|verify|blame <path>`: lists calls, checks the log, or shows which change wrote each line.
 */
export async function audit(settings: CliSettings): Promise<number> {
  const [action = "", ...words] = settings.words;
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (!act || words.length !== (action === "blame" ? 1 : 0)) return wrongVerb("audit", settings.words[0]);
  let isGood = true;
  const code = await withScope(settings, async (workspace) => {
    isGood = await act(workspace, settings, words[0] ?? "");
  });
  return isGood ? code : 1;
}

/** Resolves to false if the log is damaged. */
type Action = (workspace: CliWorkspace, settings: CliSettings, path: string) => Promise<boolean>;

const ACTIONS: Readonly<Record<string, Action>> = { show, verify, blame };

const effect = z.looseObject({
  action: z.string(),
  path: z.string(),
  from: z.string().optional(),
  before: z.string().optional(),
  after: z.string().optional(),
  replaced_unseen: z.boolean().optional(),
});

/** A line of the log, as far as it is shown. */
const shownRecord = z.looseObject({
  time: z.number(),
  /** Is empty for records of the log itself. */
  session: z.string().default(""),
  /** The real paths of the roots of the session. Is absent in records of older versions. */
  roots: z.array(z.string()).optional(),
  /** Is "user" for calls of a person. Is absent for calls of agents. */
  principal: z.string().optional(),
  tool: z.string(),
  /** The call of a dialect that this call was part of. */
  via: z.string().optional(),
  code: z.string(),
  ms: z.number(),
  /** The reason why a hook failed. */
  reason: z.string().optional(),
  input: z.unknown().optional(),
  change: z.string().optional(),
  decision: z.looseObject({ verdict: z.string(), rules: z.array(z.string()) }).optional(),
  approvers: z.array(z.looseObject({ channel: z.string(), who: z.string().optional(), said: z.string() })).optional(),
  effects: z.union([z.array(effect), z.string()]).optional(),
});

type ShownRecord = z.output<typeof shownRecord>;

async function show({ admin, isReadOnly, places }: CliWorkspace, settings: CliSettings): Promise<boolean> {
  const { json, limit = LIMITS.historyEntries } = settings;
  const { all, damaged } = recordsIn(admin.audit());
  const here = settings.all ? all : all.filter((record) => isAbout(record, places));
  const matching = here.filter(filterOf(settings));
  const shown = settings.all ? matching : matching.filter((record) => !isOwnRead(record, isReadOnly));
  const hidden = matching.length - shown.length;
  const records = shown.slice(-limit);
  if (json) print(JSON.stringify({ records, hidden }));
  else {
    print(records.length === 0 ? `No ${isFiltered(settings) ? "matching " : ""}calls` : linesOf(records).join("\n"));
    if (hidden > 0) warn(`${plural(hidden, "read-only call")} of your own hidden; --all shows them`);
  }
  if (damaged > 0) warn(`${plural(damaged, "damaged line")} left out; holdfast audit verify checks the log`);
  return true;
}

/**
 * Selects the records about these directories: changes of files there, and other calls of sessions that worked there.
 * Of a session whose roots contain them, only calls with an argument that may be a path there.
 */
function isAbout({ roots = [], input, effects = [] }: ShownRecord, directories: readonly string[]): boolean {
  const isHere = (path: string): boolean => directories.some((directory) => isWithin(path, directory));
  if (typeof effects !== "string" && effects.length > 0)
    return effects.some(({ path, from = path }) => isHere(path) || isHere(from));
  const isNamedFrom = (root: string): boolean =>
    someString(input, (text) => text.length <= LIMITS.pathBytes && isHere(resolve(root, text)));
  return roots.some((root) => isHere(root) || isNamedFrom(root));
}

/** Hides a person's own reads, which say nothing about agents. Changes by a person are shown. */
const isOwnRead = ({ principal, tool }: ShownRecord, isReadOnly: CliWorkspace["isReadOnly"]): boolean =>
  principal === "user" && isReadOnly(tool);

const isFiltered = ({ session, tool, code, since }: CliSettings): boolean =>
  [session, tool, code, since].some((each) => each !== undefined);

function filterOf({ session = "", tool, code, since }: CliSettings): (record: ShownRecord) => boolean {
  if (code !== undefined && !RECORD_CODES.includes(code)) throw unknownCodeFault(code);
  const sinceMs = since === undefined ? 0 : Date.parse(since);
  const isOf = (name: string): boolean =>
    tool === undefined || matchesTool(tool, builtinTool(plainName(name)) ?? { name: plainName(name) });
  return (record) =>
    record.session.startsWith(session) &&
    record.time >= sinceMs &&
    (code === undefined || record.code === code) &&
    (isOf(record.tool) || (record.via !== undefined && isOf(record.via)));
}

/** Lists all codes of records: those of faults, of answers to approvals and of the log itself. */
const RECORD_CODES: readonly string[] = [
  "ok",
  ...Object.keys(CODES),
  "once",
  "session",
  "always",
  "deny",
  "hook_failed",
  "lost",
];

const unknownCodeFault = (code: string): Fault =>
  new Fault(
    "invalid_input",
    `Cannot filter by the code ${quotedInput(code)}: there is no such code; ${didYouMean(code, RECORD_CODES, `there are ${RECORD_CODES.join(", ")}`)}`,
  );

/** Parses the log in the order of the calls, since processes write in batches, and counts lines that cannot be shown. */
function recordsIn(files: readonly AuditFile[]): { readonly all: readonly ShownRecord[]; readonly damaged: number } {
  const lines = files.flatMap(({ text }) => text.split("\n")).filter((line) => line !== "");
  const all = lines.flatMap((line) => parseStored(shownRecord, line) ?? []);
  return { all: all.toSorted((a, b) => a.time - b.time), damaged: lines.length - all.length };
}

/** Formats each call, followed by its effects with the versions before and after. */
function linesOf(records: readonly ShownRecord[]): readonly string[] {
  const rows = formatTable(records.map(cellsOf)).split("\n");
  return records.flatMap(({ effects = [] }, nth) => [
    rows[nth] as string,
    ...(typeof effects === "string" ? [`    ${effects}`] : effects.map(effectLine)),
  ]);
}

const effectLine = ({
  action,
  path,
  before = "nothing",
  after = "nothing",
  ...more
}: z.output<typeof effect>): string =>
  `    ${action} ${quoted(path)}  ${colored("dim", `${before} → ${after}${more.replaced_unseen ? " (replaced unseen)" : ""}`)}`;

const cellsOf = (record: ShownRecord): readonly Cell[] => [
  localTime(isoOf(record.time)),
  ["dim", shortSession(record.session)],
  ["strong", visible(record.tool) + (record.principal === "user" ? " (you)" : "")],
  [record.code === "ok" ? "good" : "bad", record.code],
  ["dim", `${record.ms} ms`],
  ["id", record.change ?? ""],
  decisionText(record),
  visible(JSON.stringify(record.input ?? {}).slice(0, SHOWN_CHARS)),
];

/** Formats the verdict of the rules, their origins and the answers to approvals. */
function decisionText({ decision, approvers = [], reason = "" }: ShownRecord): string {
  if (!decision) return visible(reason);
  const rules = decision.rules.length > 0 ? ` (${decision.rules.join(", ")})` : "";
  const answers = approvers.map(({ channel, who, said: word }) => `, ${word} by ${channel}${who ? ` ${who}` : ""}`);
  return visible(decision.verdict + rules + answers.join(""));
}

const SHOWN_CHARS = 80;

async function verify({ admin }: CliWorkspace, { json }: CliSettings): Promise<boolean> {
  const files = admin.audit();
  const bar = createProgressBar("verify");
  const { records, flaws } = checkAudit(files, bar.report);
  bar.clear();
  if (json) print(JSON.stringify({ records, files: files.length, flaws }));
  else {
    for (const { file, line, flaw } of flaws) warn(`${file}:${line}: ${flaw}`);
    const found = flaws.length === 0 ? colored("good", "intact") : colored("bad", plural(flaws.length, "flaw"));
    print(`${plural(records, "record")} in ${plural(files.length, "file")}: ${found}`);
  }
  return flaws.length === 0;
}

async function blame({ admin }: CliWorkspace, { json }: CliSettings, path: string): Promise<boolean> {
  const lines = (await admin.blame(path)).map(({ text, record }, index) => ({
    line: index + 1,
    change_id: record?.id,
    time: record && isoOf(record.timeMs),
    session: record?.session,
    tool: record?.tool,
    text: text.replace(/\r?\n$/, ""),
  }));
  if (json) print(JSON.stringify({ path, lines }));
  else if (lines.length === 0) print(`${quoted(path)} is empty`);
  else print(formatTable(lines.map(blamedCells)));
  return true;
}

interface Blamed {
  readonly line: number;
  readonly change_id: string | undefined;
  readonly time: string | undefined;
  readonly session: string | undefined;
  readonly tool: string | undefined;
  readonly text: string;
}

const blamedCells = ({ line, change_id = "-", time, session = "", tool = "", text }: Blamed): readonly Cell[] => [
  ["id", change_id],
  time === undefined ? "" : localTime(time),
  ["dim", shortSession(session)],
  ["strong", tool],
  ["dim", String(line)],
  visible(text),
];
