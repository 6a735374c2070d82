import type { Options } from "../../../app/options.ts";
import { visible } from "../../../text/quote.ts";
import { mostSimilar } from "../../../text/did-you-mean.ts";
import { FileError, type FileErrorCode } from "../../sdk/file-error.ts";
import { createFileManager } from "../../sdk/file-manager.ts";
import type { Action, ActionContext, ActionResult } from "../files/action.ts";
import { ACTIONS } from "../files/actions.ts";
import { mergeSettings } from "../../../app/merged-settings.ts";
import type { FileFlags } from "../file-flags.ts";
import type { CliSettings } from "../flags.ts";
import { print, usage, warn } from "../terminal.ts";
import { suggestVerb } from "../wrong-verb.ts";

/** Maps failures to the exit codes of fractary's command line. */
const EXIT_CODES: Readonly<Record<FileErrorCode, number>> = {
  STORAGE_ERROR: 1,
  INVALID_ARGUMENT: 2,
  IS_DIRECTORY: 2,
  IS_FILE: 2,
  NOT_FOUND: 3,
  PERMISSION_DENIED: 4,
  PATH_TRAVERSAL: 4,
  ALREADY_EXISTS: 5,
};

/** Runs `holdfast file <action> …`: one operation on files, for scripts. */
export async function file(settings: CliSettings): Promise<number> {
  const [name = "", ...words] = settings.words;
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (!action) return settings.json ? printUsageError(noActionText(name)) : noAction(name);
  const options = await mergeSettings(settings, [], ".");
  const problem = problemOf(action, words, settings) ?? problemWith(options);
  const example = `holdfast file ${name} ${action.example}`.trim();
  if (problem !== undefined && settings.json)
    return printUsageError(`Cannot use holdfast file ${name}: ${problem}; example: ${example}`);
  if (problem !== undefined) return usage(`use holdfast file ${name}`, problem, example);
  return runAction(action, words, { settings, options, storage: { source: settings.source } });
}

/** Reports a wrong command line as JSON. */
function printUsageError(message: string): number {
  printError(new FileError("INVALID_ARGUMENT", message), true);
  return EXIT_CODES.INVALID_ARGUMENT;
}

function noActionText(name: string): string {
  const meant = mostSimilar(name, Object.keys(ACTIONS));
  const help =
    meant === undefined ? `give ${Object.keys(ACTIONS).join(", ")}` : `did you mean "holdfast file ${meant}"?`;
  return `Cannot use holdfast file ${JSON.stringify(name)}: there is no such action; ${help}`;
}

function noAction(name: string): number {
  const meant = mostSimilar(name, Object.keys(ACTIONS));
  if (meant !== undefined) return suggestVerb("holdfast file", name, meant);
  return usage("use holdfast file", `give ${Object.keys(ACTIONS).join(", ")}`, "holdfast file read config.json");
}

/** Returns what is wrong with the command line, or undefined. No word and no flag may be ignored. */
function problemOf({ takes, flags }: Action, words: readonly string[], settings: CliSettings): string | undefined {
  const least = takes.filter((each) => !each.endsWith("?")).length;
  if (words.length < least || words.length > takes.length)
    return takes.length === 0 ? "it takes no arguments" : `give ${takes.join(" and ").replace("?", ", or nothing")}`;
  const unexpected = (Object.keys(settings.filing) as (keyof FileFlags)[]).find(
    (flag) => settings.filing[flag] !== undefined && !flags.includes(flag),
  );
  return unexpected === undefined ? undefined : `--${unexpected} does not apply here`;
}

const problemWith = ({ roots }: Options): string | undefined =>
  roots.length > 1 ? "give one directory; use --source for others" : undefined;

async function runAction(
  action: Action,
  words: readonly string[],
  context: Omit<ActionContext, "files">,
): Promise<number> {
  const { settings, options } = context;
  const [basePath = "."] = options.roots;
  const files = await createFileManager({ ...options, basePath, principal: "user", warn });
  try {
    const done = await action.run({ ...context, files }, words);
    printResult(done, settings.json);
    return done.exitCode ?? 0;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    printError(error, settings.json);
    return EXIT_CODES[error.code];
  } finally {
    files.close();
  }
}

function printResult({ data, text }: ActionResult, json: boolean): void {
  if (json) print(JSON.stringify({ status: "success", data }));
  else if (typeof text === "string") print(text);
  // The content of a file gets no extra line break. Its control characters are escaped on a terminal.
  else process.stdout.write(process.stdout.isTTY ? visible(Buffer.from(text).toString()) : text);
}

function printError({ code, message }: FileError, json: boolean): void {
  if (json) process.stderr.write(`${JSON.stringify({ status: "error", error: { code, message } })}\n`);
  else warn(withNextStep(code, message));
}

/** Maps failures to the next step on the command line. */
const NEXT_STEPS: Readonly<Partial<Record<FileErrorCode, string>>> = {
  ALREADY_EXISTS: "--overwrite replaces it",
  NOT_FOUND: "holdfast file list shows the files",
  PATH_TRAVERSAL: "use --root or --source for other directories",
  PERMISSION_DENIED: "holdfast policy explain shows which rule decides",
};

const withNextStep = (code: FileErrorCode, message: string): string => {
  const [problem = ""] = message.split("; ");
  return NEXT_STEPS[code] === undefined ? message : `${problem}; ${NEXT_STEPS[code]}`;
};
