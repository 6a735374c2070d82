import { LIMITS } from "../../base/limits.ts";
import { type RunProgram, failureOf } from "../../base/program.ts";
import type { HookCommand } from "../../config/schema.ts";
import { quotedInput } from "../../text/did-you-mean.ts";
import type { HookedCall, NamedHooks } from "./hooks.ts";
import { matchesTool, type NamedTool, plainName } from "../tools/names.ts";

/** Hooks that are programs: a call as JSON on their standard input, an answer as JSON on their standard output. */
export function commandHooks(
  commands: HookCommands,
  ask: RunProgram,
  toolNamed: (name: string) => NamedTool | undefined,
): readonly NamedHooks[] {
  const appliesTo = ({ tools }: HookCommand, { tool: name, plugin }: HookedCall): boolean => {
    const tool = toolNamed(plainName(name)) ?? { name: plainName(name), plugin };
    // Entries are those of every list of tools: a hook that is never asked would stop nothing.
    return tools === undefined || tools.some((entry) => matchesTool(entry, tool));
  };
  return [
    ...(commands.beforeCall ?? []).map((command, nth) => ({
      name: hookNameOf("beforeCall", nth, command),
      beforeCall: async (call: HookedCall) =>
        appliesTo(command, call) ? parseHookOutput(await runHookCommand(command, call, ask)) : undefined,
    })),
    ...(commands.afterCall ?? []).map((command, nth) => ({
      name: hookNameOf("afterCall", nth, command),
      afterCall: async (result: HookedCall) =>
        appliesTo(command, result) ? runHookCommand(command, result, ask) : undefined,
    })),
  ];
}

/** Where the operator wrote it, and which program it is. */
const hookNameOf = (list: string, nth: number, { command: [file = ""] }: HookCommand): string =>
  `hooks.${list}[${nth}] (${file})`;

/** Programs that are hooks, as the configuration file has them. */
export interface HookCommands {
  readonly beforeCall?: readonly HookCommand[] | undefined;
  readonly afterCall?: readonly HookCommand[] | undefined;
}

async function runHookCommand({ command, timeoutMs = LIMITS.hookMs }: HookCommand, about: object, ask: RunProgram) {
  const [file = "", ...words] = command;
  const said = await ask({ file, args: words, directory: "/" }, JSON.stringify(about), timeoutMs);
  const failure = failureOf(said, timeoutMs);
  if (failure !== undefined) throw new Error(failure);
  return said.output;
}

/** Nothing at all is an answer, too. What is no JSON is none. */
function parseHookOutput(output: string): unknown {
  const said = output.trim();
  if (said === "") return undefined;
  try {
    return JSON.parse(said);
  } catch (error) {
    throw new Error(`it answered ${quotedInput(said)}, which is not JSON`, { cause: error });
  }
}
