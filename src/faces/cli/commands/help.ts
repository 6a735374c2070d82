import { PRODUCT } from "../../../base/product.ts";
import { FLAGS, type Settings } from "../flags.ts";
import { print } from "../terminal.ts";

const USAGE = `Files for AI agents: nothing escapes.

Usage
  holdfast <dir>...                  serve these directories over MCP (stdio); same as "holdfast mcp <dir>..."
  holdfast call <tool> '<json>'      make one call, for example: holdfast call read '{"path":"README.md"}' --root .
  holdfast doctor [<dir>...]         show how this machine confines, and what would be served
  holdfast demo                      a tour of a few seconds, on a temporary directory

Flags`;

/** What can be said on the command line, from the same table that reads it. */
export async function help({ version }: Settings): Promise<number> {
  print(
    version ? PRODUCT.version : [USAGE, ...Object.entries(FLAGS).map(([name, flag]) => lineOf(name, flag))].join("\n"),
  );
  return 0;
}

interface Described {
  readonly help: string;
  readonly value?: string;
  readonly env?: string;
  readonly short?: string;
}

const lineOf = (name: string, { help: meaning, value, env, short }: Described): string =>
  `  ${short ? `-${short}, ` : ""}--${[name, value].filter(Boolean).join(" ")}`.padEnd(36) +
  meaning +
  (env ? ` [${env}]` : "");
