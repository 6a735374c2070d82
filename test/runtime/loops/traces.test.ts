import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isFault } from "../../../src/base/errors.ts";
import { createLoopGuard, type LoopGuard } from "../../../src/runtime/loops/guard.ts";

/** Calls of a session and what they gave, a line each; the first line says what it is about. */
interface Trace {
  /** Verdicts of the guard in order, each with its count in a row; absent where it has no objection. */
  readonly verdicts?: readonly (readonly [verdict: string, times: number])[];
  readonly calls: readonly TracedCall[];
}

interface TracedCall {
  readonly tool: string;
  readonly input: unknown;
  readonly code: string;
  readonly text: string;
  readonly version?: string;
  readonly changed?: boolean;
  /** That often in a row. */
  readonly times?: number;
}

const HERE = join(import.meta.dirname, "loop-traces");
const tracesIn = (kind: string): readonly { readonly name: string; readonly trace: Trace }[] =>
  readdirSync(join(HERE, kind)).map((name) => {
    const lines = readFileSync(join(HERE, kind, name), "utf8")
      .trimEnd()
      .split("\n");
    const [about, ...calls] = lines.map((line) => JSON.parse(line) as Trace & TracedCall);
    return { name, trace: { ...about, calls } };
  });

function verdictsOn({ calls }: Trace): NonNullable<Trace["verdicts"]> {
  const guard = createLoopGuard();
  const verdicts: [verdict: string, times: number][] = [];
  for (const call of calls.flatMap((each) => Array.from({ length: each.times ?? 1 }, () => each))) {
    const verdict = verdictOn(guard, call);
    const last = verdicts.at(-1);
    if (last?.[0] === verdict) last[1]++;
    else verdicts.push([verdict, 1]);
  }
  return verdicts;
}

function verdictOn(guard: LoopGuard, { tool, input, code, text, version, changed }: TracedCall): string {
  try {
    const data = { ...(version && { version }), ...(changed && { change_id: "c1" }) };
    const warning = guard.begin({ tool, input, isPoll: isPoll(tool, input) })({
      code,
      blocks: [{ kind: "text", text }],
      data,
    });
    return warning === undefined ? "ok" : `warned ${WARNINGS.find(([, words]) => words.test(warning))?.[0]}`;
  } catch (error) {
    if (!isFault(error)) throw error;
    return error.details["level"] === "breaker" ? "stopped" : `refused ${String(error.details["detector"])}`;
  }
}

/** Returns whether a call is a poll, as the tool of that name declares it. */
const isPoll = (tool: string, input: unknown): boolean => {
  const { action, watch_id: id } = input as { readonly action?: string; readonly watch_id?: string };
  return tool === "command_status" || id !== undefined || ["poll", "log", "status", "list"].includes(action ?? "");
};

const WARNINGS = [
  ["genericRepeat", /^Note: the same call gave the same answer \d+ times; after 20 the call is refused\. Better: use /],
  [
    "knownPollNoProgress",
    /^Note: nothing has moved in \d+ looks; after 20 the call is refused\. Better: do other work /,
  ],
  ["pingPong", /^Note: two calls have taken turns for \d+ calls and always gave the same; after 20 .* Better: use /],
  [
    "repeatedRefusals",
    /^Note: (?:it was refused \d+ times; after 7 |\d+ calls in a row were refused).* Better: ask the user, /,
  ],
  ["unknownTool", /^Note: there is no such tool, as was said \d+ times; after 7 .* Better: use one of the tools /],
] as const;

describe("going in circles", () => {
  it.each(tracesIn("looping"))("$name", ({ trace }) => expect(verdictsOn(trace)).toEqual(trace.verdicts));
});

describe("getting ahead", () => {
  it.each(tracesIn("innocent"))("$name", ({ trace }) => {
    expect(verdictsOn(trace).map(([verdict]) => verdict)).toEqual(["ok"]);
  });
});
