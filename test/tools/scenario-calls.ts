import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { BUILTIN_TOOLS } from "../../src/tools/index.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { type Caller, callerOn } from "../runtime/scratch.ts";
import type { Answer } from "./scenario-answer.ts";
import { type Effect, effectOf } from "./scenario-effects.ts";
import { type Laid, lay } from "./scenario-layout.ts";
import { treeOf } from "./scenario-tree.ts";

/** The answer to one step; `tool` is missing when the step was no call. */
export interface Made extends Answer {
  readonly tool?: Tool;
  readonly effect?: Effect;
}

/**
 * The fields of a step in call.json besides the arguments: another tool, another session on the same workspace, or,
 * instead of a call, a file that another program writes or removes, or time that passes.
 */
interface Step extends Laid {
  readonly $tool?: string;
  readonly $session?: string;
  readonly $write?: string;
  readonly $remove?: string;
  readonly $wait?: number;
}

/** Takes the steps of a scenario one after the other. A name such as "<version>" stands for what came before. */
export async function inTurn(root: string, tool: string, steps: readonly unknown[]): Promise<readonly Made[]> {
  const made: Made[] = [];
  const callerIn = callersOn(root, tool);
  for (const step of steps) made.push(await makeOne(root, tool, filledIn(step, root, made), callerIn));
  return made;
}

/** Makes callers in the default profile, or in one that has the tool where that has not. */
function callersOn(root: string, tool: string): CallerIn {
  const profile = toolNamed(tool).catalogue?.group === "archives" ? "coding" : undefined;
  const callers = new Map<string, Caller>();
  return (session) => {
    const caller = callers.get(session) ?? callerOn(root, { profile, approver: async () => ({ decision: "deny" }) });
    callers.set(session, caller);
    return caller;
  };
}

type CallerIn = (session: string) => Caller;

async function makeOne(root: string, tool: string, step: Step, callerIn: CallerIn): Promise<Made> {
  const { $tool = tool, $session = "", ...input } = step;
  const outside = await doneOutside(root, input);
  if (outside) return { isError: false, text: "", data: outside };
  const called = toolNamed($tool);
  const before = treeOf(root);
  const { isError, text, data } = await callerIn($session)($tool, input);
  return { tool: called, isError, text, data, effect: effectOf(before, treeOf(root)) };
}

/** Performs a step outside of Holdfast and returns what later steps may refer to; undefined when the step is a call. */
async function doneOutside(root: string, step: Step): Promise<Answer["data"] | undefined> {
  const { $write, $remove, $wait, ...laid } = step;
  if ($wait !== undefined) return { time: await middleOf($wait) };
  if ($write === undefined && $remove === undefined) return undefined;
  if ($write !== undefined) lay(root, { [$write]: laid });
  if ($remove !== undefined) rmSync(join(root, $remove), { recursive: true });
  return {};
}

/** Waits, and says what time it was half-way: clearly after what came before, and before what comes. */
async function middleOf(milliseconds: number): Promise<string> {
  await wait(milliseconds / 2);
  const time = new Date().toISOString();
  await wait(milliseconds / 2);
  return time;
}

function toolNamed(name: string): Tool {
  const tool = BUILTIN_TOOLS.find((each) => each.name === name);
  if (!tool) throw new Error(`There is no tool ${name}`);
  return tool;
}

const NAMES = /"<(cursor|change_id|trash_id|version|session_id|time)(?: (\d+))?>"/g;

/** "<version>" is that of the latest answer that has one, "<version 1>" that of the answer to the first step. */
function filledIn(step: unknown, root: string, made: readonly Made[]): Step {
  const json = JSON.stringify(step).replaceAll(NAMES, (_, name: string, number?: string) =>
    JSON.stringify(valueIn(number === undefined ? made : made.slice(Number(number) - 1, Number(number)), name)),
  );
  return JSON.parse(json.replaceAll("<root>", JSON.stringify(root).slice(1, -1))) as Step;
}

function valueIn(answers: readonly Answer[], name: string): unknown {
  const value = answers.map(({ data }) => data[name] ?? firstOf(data)?.[name]).findLast((each) => each !== undefined);
  if (value === undefined) throw new Error(`No answer has a ${name}`);
  return value;
}

/** An answer about several files or changes has the field in each of them. */
function firstOf({ files, changes }: Answer["data"]): Answer["data"] | undefined {
  return [files, changes].flat()[0] as Answer["data"] | undefined;
}
