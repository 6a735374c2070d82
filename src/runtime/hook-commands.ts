import * as z from "zod";
import { LIMITS } from "../base/limits.ts";
import type { AskProgram } from "../base/program.ts";
import type { HookCommand } from "../config/schema.ts";
import type { BeforeAnswer, HookedCall, Hooks } from "./hooks.ts";
import { means, plainName } from "./tool-names.ts";

/** Hooks that are programs: a call as JSON on their standard input, an answer as JSON on their standard output. */
export function commandHooks(commands: HookCommands, ask: AskProgram): readonly Hooks[] {
  return [
    ...(commands.beforeCall ?? []).map((command) => ({
      beforeCall: async (call: HookedCall) =>
        isFor(command, call) ? answerIn(await asked(command, call, ask)) : undefined,
    })),
    ...(commands.afterCall ?? []).map((command) => ({
      afterCall: async (result: HookedCall) => (isFor(command, result) ? asked(command, result, ask) : undefined),
    })),
  ];
}

export interface HookCommands {
  readonly beforeCall?: readonly HookCommand[] | undefined;
  readonly afterCall?: readonly HookCommand[] | undefined;
}

/** Entries are those of every list of tools: a hook that is never asked would stop nothing. */
const isFor = ({ tools }: HookCommand, { tool, plugin }: HookedCall): boolean =>
  tools === undefined || tools.some((entry) => means(entry, { name: plainName(tool), plugin }));

async function asked({ command, timeoutMs }: HookCommand, about: object, ask: AskProgram): Promise<string> {
  const [file = "", ...words] = command;
  const { code, output, complaint } = await ask(
    { file, words, directory: "/" },
    JSON.stringify(about),
    timeoutMs ?? LIMITS.hookMs,
  );
  if (code !== 0)
    throw new Error(`${file} ${code === null ? "was stopped or did not start" : `ended with ${code}`}: ${complaint}`);
  return output;
}

const answer = z.strictObject({ block: z.string().optional(), input: z.record(z.string(), z.unknown()).optional() });

/** Nothing at all is an answer, too. What cannot be understood is none: it lets nothing pass. */
const answerIn = (output: string): BeforeAnswer | undefined =>
  output.trim() === "" ? undefined : answer.parse(JSON.parse(output));
