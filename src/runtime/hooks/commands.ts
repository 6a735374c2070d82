import { LIMITS } from "../../base/limits.ts";
import { type AskProgram, failureOf } from "../../base/program.ts";
import type { HookCommand } from "../../config/schema.ts";
import { quotedBack } from "../../text/did-you-mean.ts";
import type { HookedCall, NamedHooks } from "./hooks.ts";
import { matchesTool, plainName } from "../tools/names.ts";

/** Hooks that are programs: a call as JSON on their standard input, an answer as JSON on their standard output. */
export function commandHooks(commands: HookCommands, ask: AskProgram): readonly NamedHooks[] {
  return [
    ...(commands.beforeCall ?? []).map((command, nth) => ({
      name: nameOf("beforeCall", nth, command),
      beforeCall: async (call: HookedCall) =>
        isFor(command, call) ? answerIn(await asked(command, call, ask)) : undefined,
    })),
    ...(commands.afterCall ?? []).map((command, nth) => ({
      name: nameOf("afterCall", nth, command),
      afterCall: async (result: HookedCall) => (isFor(command, result) ? asked(command, result, ask) : undefined),
    })),
  ];
}

/** Where the operator wrote it, and which program it is. */
const nameOf = (list: string, nth: number, { command: [file = ""] }: HookCommand): string =>
  `hooks.${list}[${nth}] (${file})`;

/** Programs that are hooks, as the configuration file has them. */
export interface HookCommands {
  readonly beforeCall?: readonly HookCommand[] | undefined;
  readonly afterCall?: readonly HookCommand[] | undefined;
}

/** Entries are those of every list of tools: a hook that is never asked would stop nothing. */
const isFor = ({ tools }: HookCommand, { tool, plugin }: HookedCall): boolean =>
  tools === undefined || tools.some((entry) => matchesTool(entry, { name: plainName(tool), plugin }));

async function asked({ command, timeoutMs = LIMITS.hookMs }: HookCommand, about: object, ask: AskProgram) {
  const [file = "", ...words] = command;
  const said = await ask({ file, words, directory: "/" }, JSON.stringify(about), timeoutMs);
  const failure = failureOf(said, timeoutMs);
  if (failure !== undefined) throw new Error(failure);
  return said.output;
}

/** Nothing at all is an answer, too. What is no JSON is none. */
function answerIn(output: string): unknown {
  const said = output.trim();
  if (said === "") return undefined;
  try {
    return JSON.parse(said);
  } catch (error) {
    throw new Error(`it answered ${quotedBack(said)}, which is not JSON`, { cause: error });
  }
}
