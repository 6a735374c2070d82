import { resolve } from "node:path";
import { isStored, storableOf } from "../../exec/shell/storable.ts";
import type { RunIntent } from "../../tools/tool.ts";
import type { CommandParts } from "./command-parts.ts";
import type { ScopeOf } from "./run-permissions.ts";
import type { ReadyCommand } from "./ready-command.ts";

/**
 * Says what an "always" may store about each program of a command: exactly its words, in these directories and this
 * sandbox, with the version of the script that it runs. Stores nothing about a command with an environment of its own,
 * nor about a program that the agent can replace.
 */
export function scopesOf(
  { owner, programs }: CommandParts,
  { judgement, identities, sandbox, command, environment }: ReadyCommand,
  { options }: RunIntent,
): ScopeOf {
  const isStorable = !options.isElevated && Object.keys(options.environment).length === 0;
  const storable = isStorable && judgement.kind === "unknown" ? storableOf(judgement) : undefined;
  if (storable?.kind !== "storable") return () => undefined;
  return (program) => {
    const pattern = storable.patterns.find((each) => isStored(each, program));
    // A program that the agent can replace is another one tomorrow.
    if (!pattern || !programs(environment, sandbox.rung).find(program.argv[0] ?? "").isSafe) return undefined;
    const scope = { words: pattern.words, roots: owner.roots, sandbox: sandbox.rung };
    if (pattern.script === undefined) return scope;
    const script = resolve(command.directory, pattern.script);
    const version = identities[script];
    return version === undefined || version === "missing" ? undefined : { ...scope, script: `${script} ${version}` };
  };
}
