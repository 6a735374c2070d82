import { LIMITS } from "../../base/limits.ts";
import { type RunProgram, failureOf } from "../../base/program.ts";
import type { HookCommand } from "../../config/schema.ts";
import { quotedInput } from "../../text/did-you-mean.ts";
import type { HookedCall, NamedHooks } from "./hooks.ts";
import { matchesTool, type NamedTool, plainName } from "../tools/match-tool.ts";

/**
 * Creates hooks that run programs, with the call as JSON on standard input and an answer as JSON on standard output.
 */
export function commandHooks(
  commands: HookCommands,
  ask: RunProgram,
  toolNamed: (name: string) => NamedTool | undefined,
): readonly NamedHooks[] {
  const appliesTo = ({ tools }: HookCommand, { tool: name, plugin }: HookedCall): boolean => {
    const tool = toolNamed(plainName(name)) ?? { name: plainName(name), plugin };
    // Tools are matched as in every list of tools: a hook that never matches would stop nothing.
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

/** Names a hook by its key in the configuration and its program. */
const hookNameOf = (list: string, nth: number, { command: [file = ""] }: HookCommand): string =>
  `hooks.${list}[${nth}] (${file})`;

/** Lists hook programs as the configuration file does. */
export interface HookCommands {
  readonly beforeCall?: readonly HookCommand[] | undefined;
  readonly afterCall?: readonly HookCommand[] | undefined;
}

async function runHookCommand({ command, timeoutMs = LIMITS.hookMs }: HookCommand, about: object, ask: RunProgram) {
  const [file = "", ...words] = command;
  const finished = await ask({ file, args: words, directory: "/" }, JSON.stringify(about), timeoutMs);
  const failure = failureOf(finished, timeoutMs);
  if (failure !== undefined) throw new Error(failure);
  return finished.output;
}

/** Accepts an empty output as an answer. Throws for what is not JSON. */
function parseHookOutput(output: string): unknown {
  const answer = output.trim();
  if (answer === "") return undefined;
  try {
    return JSON.parse(answer);
  } catch (error) {
    throw new Error(`it answered ${quotedInput(answer)}, which is not JSON`, { cause: error });
  }
}
