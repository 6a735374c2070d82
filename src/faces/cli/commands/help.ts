import { PRODUCT } from "../../../base/product.ts";
import { FLAGS, type Settings } from "../flags.ts";
import { print } from "../terminal.ts";

const USAGE = `Files for AI agents: nothing escapes, nothing is lost, everything can be undone.

Usage
  holdfast <dir>...                  serve these directories over MCP (stdio); same as "holdfast mcp <dir>..."
  holdfast rpc <dir>...              serve them as capabilities, over JSON-RPC (stdio)
  holdfast call <tool> '<json>'      make one call, for example: holdfast call read '{"path":"README.md"}' --root .
  holdfast tools                     what an agent is offered; with --dialect, in the words of another system
  holdfast file <action> …           read, write, list, delete, exists, copy, move, upload, download, get-url,
                                     show-config, test-connection: files for scripts, in the words of fractary
  holdfast history [<path>]          what was changed, newest first
  holdfast undo [<change-id>]        take back the last change that still stands, or the one named
  holdfast diff <change-id>          what a change did
  holdfast trash [list]              what was deleted and can be brought back
  holdfast trash restore <trash-id|path>
  holdfast trash purge <trash-id|path|--expired|--all>   remove it for good
  holdfast watch [<dir>...]          tell what happens to files, as it happens; Ctrl-C ends it
  holdfast approvals [list]          what agents wait for a yes to
  holdfast approvals show <id>       exactly what would happen
  holdfast approvals approve <id> [once|session|always]
  holdfast approvals deny <id> [<reason>]
  holdfast approvals watch           every question as it comes, to answer on the terminal
  holdfast approvals grants          what is always allowed; approvals revoke <grant> takes it back
  holdfast audit show                what calls were made, newest last
  holdfast audit verify              whether a record of them was altered or removed
  holdfast audit blame <path>        which change wrote which line
  holdfast config show               what holds, and where each value comes from
  holdfast policy check <file>       whether a configuration file can be used
  holdfast policy explain <act> <path|command>   which rules speak, and which of them decides
  holdfast policy test               whether the examples of all rules hold
  holdfast doctor [<dir>...]         show how this machine confines, what would be served, what is kept
  holdfast demo                      a tour of a few seconds, on a temporary directory

history, undo, diff, trash, approvals, audit, config and policy look at the current directory, or at the one behind --root: name it as it is served.

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
  readonly only?: readonly string[];
}

const lineOf = (name: string, { help: meaning, value, env, short, only }: Described): string =>
  `  ${short ? `-${short}, ` : ""}--${[name, value].filter(Boolean).join(" ")}`.padEnd(36) +
  (only ? `${only.join(", ")}: ` : "") +
  meaning +
  (env ? ` [${env}]` : "");
