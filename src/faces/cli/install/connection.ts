import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { resolve, sep } from "node:path";
import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { ownWords } from "../../../base/own-words.ts";
import { PRODUCT } from "../../../base/product.ts";
import { quoted } from "../../../text/quote.ts";
import type { CliSettings } from "../flags.ts";
import { unusableValueFault } from "../value-with-origin.ts";
import type { Connection } from "./entries.ts";

/** Returns the connection to install: this program on the given directories, or the server at a URL. */
export function connectionOf(settings: CliSettings, given: readonly string[] = settings.rootsWith([])): Connection {
  const { http } = settings.installing;
  if (http === undefined)
    return { kind: "stdio", ...ownProgram([...directoriesIn(given), ...settings.installing.serverArgs]) };
  const token = tokenIn(process.env);
  if (token !== undefined && settings.installing.project)
    throw new Fault(
      "invalid_input",
      "Cannot write a token into a project: others read its files; unset HOLDFAST_TOKEN",
    );
  const headers = token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } };
  return { kind: "http", url: urlIn(http), ...headers };
}

/** Returns the token of the server. It comes by the environment, because others can see command lines. */
export const tokenIn = (env: Readonly<Record<string, string | undefined>>): string | undefined =>
  env["HOLDFAST_TOKEN"] || undefined;

function urlIn(value: string): string {
  if (/^https?:\/\//.test(value) && URL.canParse(value)) return value;
  throw unusableValueFault({ origin: "--http", value }, `give a URL such as http://127.0.0.1:${LIMITS.httpPort}/mcp`);
}

/** Names program and script by their paths: programs with windows do not have the PATH of a shell. */
export function ownProgram(words: readonly string[]): { command: string; args: readonly string[] } {
  const [command, ...files] = ownWords();
  const script = files.map((file) => realpathSync(file));
  // npx may delete what it has downloaded.
  if (script[0]?.includes(`${sep}_npx${sep}`)) return { command: "npx", args: ["-y", PRODUCT.name, ...words] };
  return { command, args: [...script, ...words] };
}

/** Returns the real directories, or the current one, which must not be the whole home. */
function directoriesIn(given: readonly string[]): readonly string[] {
  if (given.length === 0 && [homedir(), "/"].includes(process.cwd()))
    throw new Fault(
      "invalid_input",
      `Cannot install for all of ${quoted(process.cwd())}: name the directory for the agent with --root`,
    );
  return (given.length === 0 ? ["."] : given).map((directory) => {
    if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return resolve(directory);
    throw new Fault("invalid_input", `Cannot install with ${quoted(directory)}: it is no directory`);
  });
}
