import { existsSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { type Caller, callerOn, scratch, type CallResult } from "../runtime/scratch.ts";

const START = Array.from({ length: 8 }, (_, nth) => `start${nth}`);

/** The names that the file has, one after the other. */
const NAMES = ["f", "g"] as const;

/** Things that a person does to the file with another program. */
const PERSON = ["add", "change", "remove", "replace", "touch", "delete"] as const;

/** Things that an agent does. It goes on from what it believes is in the file, however old that is. */
const AGENT = ["read", "write", "overwrite", "edit", "edit_if_match", "append", "undo", "rename", "dry_run"] as const;

/** `at` chooses a line. */
type Step = { readonly at: number } & (
  | { readonly who: "person"; readonly does: (typeof PERSON)[number] }
  | { readonly who: "agent"; readonly does: (typeof AGENT)[number] }
);

const at = fc.nat({ max: 20 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ who: fc.constant("person" as const), does: fc.constantFrom(...PERSON), at }),
  fc.record({ who: fc.constant("agent" as const), does: fc.constantFrom(...AGENT, "read", "write"), at }),
);

type By<Who> = Extract<Step, { who: Who }>;

/** Every line that anybody writes is unlike all others, so that it can be told where it is and who was shown it. */
interface World {
  readonly caller: Caller;
  readonly file: (name?: string) => string;
  /** The content of the file, under either of its names. */
  readonly text: () => string;
  next: number;
  name: string;
  /** The content and version of the file as the agent believes them to be. */
  belief: string[];
  version: string | undefined;
  /** Lines of the person that should be in the file. */
  readonly lines: Set<string>;
  /** All output that the agent got before the current call. */
  output: string;
}

const linesOf = (text: string): string[] => text.split("\n").filter((line) => line !== "");
const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

function personDoes(world: World, { does, at: nth }: By<"person">): void {
  const path = world.file();
  const now = existsSync(path) ? linesOf(readFileSync(path, "utf8")) : [];
  const line = `person${world.next++};`;
  const index = now.length === 0 ? 0 : nth % now.length;
  const gone = (old: string | undefined): void => void (old !== undefined && world.lines.delete(old));
  if (does === "delete") {
    rmSync(path, { force: true });
    return world.lines.clear();
  }
  if (does === "touch") return existsSync(path) ? utimesSync(path, nth, nth) : undefined;
  if (does === "remove") gone(now.splice(index, 1)[0]);
  if (does === "change") gone(now.splice(index, 1, line)[0]);
  if (does === "add" || does === "replace") now.splice(index, 0, line);
  if (does !== "remove") world.lines.add(line);
  const target = does === "replace" ? `${path}.new` : path;
  writeFileSync(target, textOf(now));
  if (does === "replace") renameSync(target, path);
}

async function agentDoes(world: World, { does, at: nth }: By<"agent">): Promise<CallResult | undefined> {
  const { caller, belief, name: path } = world;
  const mine = `agent${world.next++};`;
  const index = belief.length === 0 ? 0 : nth % belief.length;
  const wanted = belief.length === 0 ? [mine] : belief.with(index, mine);
  const write = async (more: object): Promise<CallResult> => {
    const answer = await caller("write", { path, content: textOf(wanted), ...more });
    if (!answer.isError && !("dry_run" in more))
      Object.assign(world, { belief: wanted, version: answer.data["version"] });
    return answer;
  };
  const edit = async (more: object): Promise<CallResult | undefined> => {
    const oldText = belief[index];
    if (oldText === undefined) return undefined;
    const answer = await caller("edit", { path, oldText, newText: mine, ...more });
    if (!answer.isError) world.belief = wanted;
    return answer;
  };
  switch (does) {
    case "read": {
      const answer = await caller("read", { path });
      const { content, version } = answer.data as { content?: string; version?: string };
      if (content !== undefined) Object.assign(world, { belief: linesOf(content), version });
      return answer;
    }
    case "write":
      return write({});
    case "overwrite":
      return write({ overwrite: true });
    case "dry_run":
      return write({ dry_run: true });
    case "edit":
      return edit({});
    case "edit_if_match":
      return world.version === undefined ? undefined : edit({ if_match: world.version });
    case "append": {
      const answer = await caller("write", { path, content: `${mine}\n`, append: true });
      if (!answer.isError) world.belief = [...belief, mine];
      return answer;
    }
    case "undo": {
      const answer = await caller("undo");
      world.name = NAMES.find((name) => existsSync(world.file(name))) ?? path;
      return answer;
    }
    case "rename": {
      const destination = path === "f" ? "g" : "f";
      const answer = await caller("move", { source: path, destination });
      if (!answer.isError) world.name = destination;
      return answer;
    }
  }
}

/** No line of a person goes without that the agent knew of it, or said that it wants to replace what it does not know. */
async function requireKept(world: World, { does }: Step, answer: CallResult): Promise<void> {
  const text = world.text();
  const lost = [...world.lines].filter((line) => !text.includes(line));
  const unseen = lost.filter((line) => !world.output.includes(line));
  if (unseen.length > 0) {
    expect({ does, unseen, said: answer.data["replaced_unseen"] }).toEqual({ does, unseen, said: true });
    return requireUndone(world, answer, lost);
  }
  for (const line of lost) world.lines.delete(line);
}

async function requireUndone({ caller, text: now }: World, answer: CallResult, lost: readonly string[]): Promise<void> {
  const { change_id } = answer.data as { change_id: string };
  expect(await caller("undo", { change_id })).toMatchObject({ isError: false });
  const text = now();
  expect(lost.filter((line) => !text.includes(line))).toEqual([]);
}

async function live(steps: readonly Step[]): Promise<void> {
  const root = scratch({ f: textOf(START) });
  const caller = callerOn(root, { loopDetection: false });
  const world: World = {
    caller,
    file: (name = world.name) => join(root, name),
    text: () =>
      NAMES.map((name) => (existsSync(world.file(name)) ? readFileSync(world.file(name), "utf8") : "")).join(""),
    next: 0,
    name: "f",
    belief: START,
    version: undefined,
    lines: new Set(),
    output: "",
  };
  for (const each of steps) {
    if (each.who === "person") {
      personDoes(world, each);
      continue;
    }
    const answer = await agentDoes(world, each);
    if (!answer) continue;
    await requireKept(world, each, answer);
    world.output += answer.text;
  }
}

it("an agent never takes a person's line away that it does not know of", async () => {
  const lives = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 30 }), live);
  await expect(fc.assert(lives, { numRuns: 100 })).resolves.toBeUndefined();
}, 120_000);
