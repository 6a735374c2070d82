import { Fault, hasCode } from "../../../base/errors.ts";
import { isWithin } from "../../../base/paths.ts";
import type { JobEntry, WaitingChanges } from "../../../runtime/commands/job-admin.ts";
import { quoted, visible } from "../../../text/quote.ts";
import { shortSession } from "../changes.ts";
import type { WorkspaceTask } from "../cli-workspace.ts";
import type { CliSettings } from "../flags.ts";
import { withDirectories, withScope } from "../scope.ts";
import { type Cell, colored, formatTable, localTime, print, sizeText, type Tone } from "../terminal.ts";
import { wrongVerb } from "../wrong-verb.ts";

/** Runs `holdfast jobs [list|show|log|stop|apply|discard]`: shows, ends and applies what agents run, whoever did it. */
export async function jobs(settings: CliSettings): Promise<number> {
  const [verb = "list", id, prefer, ...extra] = settings.words;
  if (verb === "list" && id === undefined) return list(settings);
  if (verb === "apply" && id !== undefined && isPreference(prefer) && extra.length === 0)
    return apply(settings, id, prefer);
  if (id === undefined || prefer !== undefined) return wrongVerb("jobs", verb);
  if (verb === "show") return show(settings, id);
  if (verb === "log") return log(settings, id);
  if (verb === "stop") return stop(settings, id);
  if (verb === "discard") return discard(settings, id);
  return wrongVerb("jobs", verb);
}

const isPreference = (word: string | undefined): word is "ours" | "theirs" | undefined =>
  word === undefined || word === "ours" || word === "theirs";

/** Lists the jobs that were started below the directories, or all. */
const list = (settings: CliSettings): Promise<number> =>
  withScope(settings, async ({ admin, places, name }) => {
    const all = (await admin.jobs()).list();
    const here = all.filter(({ directory }) => places.some((place) => isWithin(directory, place)));
    if (settings.json) return print(JSON.stringify({ jobs: here }));
    const nothing = settings.all ? "No jobs" : `No jobs in ${name}; use --root for another directory, --all for all`;
    print(here.length === 0 ? nothing : tableOf(here));
  });

function tableOf(entries: readonly JobEntry[]): string {
  const head = ["job", "state", "started", "session", "agent", "undo", "in", "command"];
  return formatTable([head.map((text): Cell => ["dim", text]), ...entries.map(rowOf)]);
}

function rowOf(job: JobEntry): readonly Cell[] {
  const [first = "", ...others] = job.command.split("\n");
  return [
    ["id", job.job_id],
    [toneOf(job), stateText(job)],
    localTime(job.started),
    ["dim", shortSession(job.session)],
    visible(job.agent),
    job.changes_wait ? `${job.undo}, changes wait` : job.undo,
    quoted(job.directory),
    visible(first) + (others.length > 0 ? " …" : ""),
  ];
}

/** Says how a job ended: "exit 0", "SIGTERM", "timeout"; or that it runs or is lost. */
function stateText({ state, exit_code: code, signal, stopped }: JobEntry): string {
  if (state !== "done") return state;
  return stopped ?? signal ?? `exit ${code ?? "unknown"}`;
}

const toneOf = ({ state, exit_code: code }: JobEntry): Tone =>
  state === "running" ? "strong" : code === 0 ? "good" : "bad";

const show = (settings: CliSettings, id: string): Promise<number> =>
  withScope(settings, async ({ admin }) => {
    const all = await admin.jobs();
    const job = all.read(id);
    const waiting = job.changes_wait ? await waitingChanges(settings, job) : undefined;
    if (settings.json) return print(JSON.stringify({ ...job, ...waiting }));
    const output = all.summary(id).trimEnd() || "(no output)";
    print([...linesOf(job, waiting), ...output.split("\n").map((line) => `  ${line}`)].join("\n"));
  });

async function waitingChanges(settings: CliSettings, { job_id: id, roots }: JobEntry): Promise<WaitingChanges> {
  let found: WaitingChanges = { changes: [], conflicts: [] };
  await withDirectories(settings, roots, async ({ admin }) => {
    found = await (await admin.jobs()).waitingChanges(id);
  });
  return found;
}

function linesOf(job: JobEntry, waiting: WaitingChanges | undefined): readonly string[] {
  const until = job.ended === undefined ? "" : `, ended ${localTime(job.ended)}`;
  const owner = `session ${shortSession(job.session)}, agent ${visible(job.agent)}${job.principal === "user" ? ", for the user" : ""}`;
  return [
    colored("id", `job ${job.job_id}  ${stateText(job)}  ${localTime(job.started)}${until}`),
    ...visible(job.command).split("\n"),
    `In ${quoted(job.directory)}${job.detached ? ", detached: it outlives its server" : ""}`,
    `Of ${owner}`,
    `Sandbox: ${job.sandbox ?? "unknown"}, undo: ${job.undo}`,
    ...(waiting ? waitingLines(job.job_id, waiting) : []),
    `Output, ${sizeText(job.output_bytes)}; holdfast jobs log ${job.job_id} prints all that is kept:`,
  ];
}

const waitingLines = (id: string, { changes, conflicts }: WaitingChanges): readonly string[] => [
  waitingText(id),
  ...changes.map((line) => `  ${line}`),
  ...conflicts.map((line) => `  in conflict: ${line}`),
  ...(conflicts.length > 0 ? [waysText(id)] : []),
];

const waysText = (id: string): string =>
  `holdfast jobs apply ${id} ours keeps your files where they conflict, theirs takes those of the command`;

const waitingText = (id: string): string =>
  `Its changes wait: holdfast jobs apply ${id} applies them, holdfast jobs discard ${id} drops them`;

const log = (settings: CliSettings, id: string): Promise<number> =>
  withScope(settings, async ({ admin }) => {
    const pages = (await admin.jobs()).output(id);
    if (settings.json) return print(JSON.stringify({ job_id: id, output: [...pages].join("") }));
    for (const page of pages) process.stdout.write(page);
  });

const stop = (settings: CliSettings, id: string): Promise<number> =>
  withScope(settings, async ({ admin }) => {
    const before = (await admin.jobs()).read(id);
    const job = await (await admin.jobs()).stop(id);
    if (settings.json) return print(JSON.stringify(job));
    print(`${before.state === "running" ? "Ended" : "Had ended before:"} ${id} (${stateText(job)})`);
    if (job.changes_wait) print(colored("dim", waitingText(id)));
  });

const apply = (settings: CliSettings, id: string, prefer: "ours" | "theirs" | undefined): Promise<number> =>
  withRootsOf(settings, id, async ({ applyJob }) => {
    const done = await applyJob(id, prefer).catch(rethrowWithWays(id));
    if (settings.json) return print(JSON.stringify(done));
    print(done.applied ? `Applied the changes of ${id}` : "Nothing was changed");
    for (const line of done.changes) print(`  ${line}`);
    for (const note of done.notes ?? []) print(`Note: ${note}`);
    if (done.change_id !== undefined) print(colored("dim", `To take it back: holdfast undo ${done.change_id}`));
  });

/** Names the ways to decide a conflict, which only a person has. */
const rethrowWithWays =
  (id: string) =>
  (error: unknown): never => {
    if (!hasCode(error, "conflict") || error.details["conflicts"] === undefined) throw error;
    const hint = waysText(id);
    throw new Fault(error.code, `${error.message}; ${hint}`, { ...error.details, hint });
  };

const discard = (settings: CliSettings, id: string): Promise<number> =>
  withRootsOf(settings, id, async ({ admin }) => {
    const before = (await admin.jobs()).read(id);
    const job = await (await admin.jobs()).discard(id);
    if (settings.json) return print(JSON.stringify(job));
    print(before.changes_wait ? `Dropped the changes of ${id}` : `${id} has no changes that wait`);
  });

/** Opens the directories of the session that started a job: its changes are applied by their rules, to their files. */
async function withRootsOf(settings: CliSettings, id: string, work: WorkspaceTask): Promise<number> {
  let roots: readonly string[] = [];
  const code = await withScope(settings, async ({ admin }) => void ({ roots } = (await admin.jobs()).read(id)));
  return code === 0 ? withDirectories(settings, roots, work) : code;
}
