import { isDeepStrictEqual } from "node:util";
import { BUILTIN_TOOLS } from "../../src/tools/index.ts";
import type { Annotations, Tool } from "../../src/tools/tool.ts";
import type { Tree } from "./scenario-tree.ts";

/** Lists what a call can do to the files, from the least to the most. */
const EFFECTS = ["nothing", "adds", "destroys"] as const;

export type Effect = (typeof EFFECTS)[number];

/** Compares the tree before and after a call: it destroys when something that was there is gone or differs. */
export function effectOf(before: Tree, after: Tree): Effect {
  if (Object.entries(before).some(([name, laid]) => !isDeepStrictEqual(laid, after[name]))) return "destroys";
  return Object.keys(after).length > Object.keys(before).length ? "adds" : "nothing";
}

const greatest = new Map<string, Effect>();

/** Remembers what a tool did. */
export function noteEffect(tool: Tool, effect: Effect): void {
  const known = greatest.get(tool.name) ?? "nothing";
  greatest.set(tool.name, EFFECTS.indexOf(effect) > EFFECTS.indexOf(known) ? effect : known);
}

/** Lists tools whose annotations promise less than they did, or more than any scenario shows. */
export const wronglyAnnotated = (): readonly string[] =>
  BUILTIN_TOOLS.filter(isInScenarios).flatMap(({ name, annotations }) => {
    const effect = greatest.get(name) ?? "nothing";
    return effect === promisedBy(annotations) ? [] : [`${name}: ${effect}, but annotated: ${promisedBy(annotations)}`];
  });

/** Excludes a tool that does what the calls it resumes do, and commands, which are tested in test/runtime/commands. */
const isInScenarios = ({ resumesCalls, annotations }: Tool): boolean => !resumesCalls && !annotations.openWorldHint;

const promisedBy = ({ readOnlyHint, destructiveHint }: Annotations): Effect =>
  readOnlyHint ? "nothing" : destructiveHint ? "destroys" : "adds";
