import { basename } from "node:path";
import { Fault, isFault } from "../../../base/errors.ts";
import { runInSlices } from "../../../base/time-slicing.ts";
import { unifiedDiff } from "../../../text/diff/diff.ts";
import { mostSimilar } from "../../../text/did-you-mean.ts";
import { quoted, visible } from "../../../text/quote.ts";
import { canAsk } from "../approval-prompt.ts";
import { faultText } from "../fault-text.ts";
import type { CliSettings } from "../flags.ts";
import { createQuestions } from "../install/choose.ts";
import { fileOf, isFound } from "../install/client-places.ts";
import { type Client, CLIENTS } from "../install/clients.ts";
import { directoriesOf } from "../install/directories.ts";
import { connectionOf, tokenIn } from "../install/connection.ts";
import { configBlock, type InstallPlan, installedEntry, planInstall, planRemoval } from "../install/plan.ts";
import { flagForServer } from "../install/server-args.ts";
import { writePlan } from "../install/write-plan.ts";
import { coloredPatchLine } from "../patch-colors.ts";
import { type Cell, colored, formatTable, print, usage, warn } from "../terminal.ts";

/** Runs `holdfast install [<client>...]`: puts Holdfast into the configuration of MCP clients, or removes it. */
export async function install(settings: CliSettings): Promise<number> {
  const { words, installing, all } = settings;
  const problem = problemOf(settings);
  if (problem !== undefined) return usage("install", problem, "holdfast install cursor --root ~/project");
  if (installing.list) return listClients(settings);
  const named = all ? foundClients(settings) : words.map(requireClient);
  if (installing.print) return printBlocks(settings, named);
  if (named.length === 0 && !all) return canAsk() ? installAsked(settings) : reportNoClient();
  if (named.length === 0) return reportNone(settings);
  return change(settings, named, settings.installing.remove ? undefined : settings.rootsWith([]), settings.dryRun);
}

function problemOf({ words, installing, all, rootsWith, dryRun }: CliSettings): string | undefined {
  const { list, print: prints, remove, http, serverArgs } = installing;
  if ([list, prints, remove].filter(Boolean).length > 1) return "give one of --list, --print and --remove";
  if (list && (words.length > 0 || dryRun)) return "--list takes nothing else";
  if (all && words.length > 0) return "give clients or --all, not both";
  if (prints && (words.length === 0 || dryRun)) return "--print takes the clients to print for";
  if (http !== undefined && rootsWith([]).length > 0) return "--root and --http do not go together";
  const flag = flagForServer(serverArgs);
  const other = http !== undefined ? "--http" : list ? "--list" : remove ? "--remove" : undefined;
  if (flag !== undefined && other !== undefined) return `${flag} and ${other} do not go together`;
  return undefined;
}

const projectOf = ({ installing }: CliSettings): string | undefined => (installing.project ? process.cwd() : undefined);

const nameOf = ({ installing }: CliSettings): string => installing.name ?? "holdfast";

const foundClients = (settings: CliSettings): readonly string[] =>
  Object.keys(CLIENTS).filter((name) => isFound(clientOf(name), directoriesOf(process.env), projectOf(settings)));

const clientOf = (name: string): Client => CLIENTS[name] as Client;

/** Returns a name that the table has. */
function requireClient(name: string): string {
  if (Object.hasOwn(CLIENTS, name)) return name;
  const meant = mostSimilar(name, Object.keys(CLIENTS));
  const help = meant === undefined ? "holdfast install --list shows them" : `did you mean "${meant}"?`;
  throw new Fault("invalid_input", `Cannot install into ${JSON.stringify(name)}: there is no such client; ${help}`);
}

const reportNoClient = (): number =>
  usage("install", "name the clients, or use --all; holdfast install --list shows them", "holdfast install cursor");

function reportNone(settings: CliSettings): number {
  if (settings.json) print(JSON.stringify({ clients: [] }));
  else warn("No client was found; holdfast install --list shows the files it looked for");
  return 1;
}

interface ListedClient {
  readonly client: string;
  readonly title: string;
  readonly found: boolean;
  readonly installed: boolean;
  readonly file?: string;
  readonly problem?: string;
}

function listClients(settings: CliSettings): number {
  const listed = Object.keys(CLIENTS).map((name) => listedClient(settings, name));
  if (settings.json) print(JSON.stringify({ clients: listed }));
  else print(formatTable(listed.map(rowOf)));
  return 0;
}

function listedClient(settings: CliSettings, name: string): ListedClient {
  const client = clientOf(name);
  const at = directoriesOf(process.env);
  const project = projectOf(settings);
  const file = fileOf(client, at, project);
  const about = { client: name, title: client.title, found: isFound(client, at, project) };
  if (file === undefined) return { ...about, installed: false };
  try {
    return { ...about, installed: installedEntry(client, file, nameOf(settings)) !== undefined, file };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { ...about, installed: false, file, problem: error.message };
  }
}

const rowOf = ({ client, title, found, installed, file, problem }: ListedClient): readonly Cell[] => [
  ["strong", client],
  title,
  installed ? ["good", "installed"] : problem !== undefined ? ["bad", "unclear"] : found ? "found" : ["dim", "-"],
  problem === undefined ? (file === undefined ? "has no file for projects" : quoted(file)) : visible(problem),
];

function printBlocks(settings: CliSettings, names: readonly string[]): number {
  const connection = connectionOf(settings);
  for (const name of names) {
    const client = clientOf(name);
    const file = fileOf(client, directoriesOf(process.env), projectOf(settings));
    if (file === undefined) throw noProjectFault(client);
    process.stderr.write(`${client.title}: ${quoted(file)}\n`);
    process.stdout.write(hidingToken(configBlock(client, nameOf(settings), connection)));
  }
  return 0;
}

const noProjectFault = ({ title }: Client): Fault =>
  new Fault("invalid_input", `Cannot install into ${title} for a project: it has no such file; leave out --project`);

/** Asks which clients and which directory, shows the changes and asks again before anything is written. */
async function installAsked(settings: CliSettings): Promise<number> {
  const found = foundClients(settings);
  if (found.length === 0) return reportNone(settings);
  const questions = createQuestions();
  try {
    const rows = found.map((name, nth): readonly Cell[] => [`${nth + 1}`, ...rowOf(listedClient(settings, name))]);
    print(formatTable(rows));
    const names = await questions.chooseClients(found);
    if (names.length === 0) return 0;
    const given = settings.rootsWith([]);
    const asks = given.length === 0 && !settings.installing.remove && settings.installing.http === undefined;
    const roots = asks ? [await questions.chooseDirectory(process.cwd())] : given;
    const shown = await change(settings, names, settings.installing.remove ? undefined : roots, true);
    if (settings.dryRun || shown !== 0) return shown;
    if (!(await questions.confirm("Write this?"))) return reportUnwritten();
    return await change(settings, names, settings.installing.remove ? undefined : roots, false);
  } finally {
    questions.close();
  }
}

function reportUnwritten(): number {
  print("Nothing was written");
  return 0;
}

/** Plans the changes of all clients first, then makes or shows them. Without roots, removes. Returns the exit code. */
async function change(
  settings: CliSettings,
  names: readonly string[],
  roots: readonly string[] | undefined,
  isDryRun: boolean,
): Promise<number> {
  const connection = roots && connectionOf(settings, roots);
  // A token must not be readable by others in a file that is created now.
  if (connection?.kind === "http" && connection.headers) process.umask(0o077);
  const plans = names.map((name) => ({ name, plan: planFor(settings, name, connection) }));
  const results: object[] = [];
  let failed = 0;
  for (const { name, plan } of plans) {
    const result = typeof plan === "string" ? { error: plan } : await perform(settings, plan, isDryRun);
    if ("error" in result) failed++;
    results.push({ client: name, ...result });
    if (!settings.json) report(name, result, isDryRun);
  }
  if (settings.json) print(hidingToken(JSON.stringify({ clients: results })));
  return failed > 0 ? 1 : 0;
}

/** Returns the plan, or the message of its refusal. */
function planFor(
  settings: CliSettings,
  name: string,
  connection: ReturnType<typeof connectionOf> | undefined,
): InstallPlan | string {
  const client = clientOf(name);
  try {
    const file = fileOf(client, directoriesOf(process.env), projectOf(settings));
    if (file === undefined) throw noProjectFault(client);
    return connection
      ? planInstall(client, file, nameOf(settings), connection)
      : planRemoval(client, file, nameOf(settings));
  } catch (error) {
    if (!isFault(error)) throw error;
    return faultText(error);
  }
}

interface Performed {
  readonly file: string;
  readonly changed: boolean;
  readonly created?: boolean;
  readonly change_id?: string;
  readonly diff?: string;
}

async function perform(
  settings: CliSettings,
  plan: InstallPlan,
  isDryRun: boolean,
): Promise<Performed | { readonly error: string }> {
  const { file, before, after } = plan;
  if (after === undefined) return { file, changed: false };
  const { change_id: id, diff = "", error } = await writePlan(settings, plan, isDryRun);
  if (error !== undefined) return { error };
  const created = before === undefined;
  const shown = created ? await newFileDiff(file, after) : diff;
  return { file, changed: true, created, diff: shown, ...(id !== undefined && { change_id: id }) };
}

/** Returns the diff of a new file, which the answer of the engine does not have. */
async function newFileDiff(file: string, content: string): Promise<string> {
  const { text } = await runInSlices(unifiedDiff("", content, { path: basename(file), kind: "create" }), () => {});
  return text;
}

function report(name: string, result: Performed | { readonly error: string }, isDryRun: boolean): void {
  if ("error" in result) return warn(result.error);
  const { file, changed, created = false, change_id: id, diff = "" } = result;
  const place = `${clientOf(name).title}: ${quoted(file)}`;
  if (!changed) return print(`${place} needs no change`);
  if (isDryRun) return print([`${place} would ${created ? "be created" : "change"}`, ...diffLines(diff)].join("\n"));
  print(
    `${place} ${created ? "created" : "changed"}; restart the client. ${colored("dim", `To take it back: holdfast undo ${id}`)}`,
  );
}

const diffLines = (diff: string): readonly string[] =>
  hidingToken(diff.trimEnd())
    .split("\n")
    .map((line) => coloredPatchLine(line, visible(line)));

/** Replaces the token of the server in what is shown. */
function hidingToken(text: string): string {
  const token = tokenIn(process.env);
  return token === undefined ? text : text.replaceAll(token, "***");
}
