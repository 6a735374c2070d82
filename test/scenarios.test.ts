import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CODES } from "../src/base/errors.ts";
import { scratch } from "./runtime/scratch.ts";
import { saidOnce } from "./tools/answer-halves.ts";
import { steady } from "./tools/scenario-answer.ts";
import { inTurn, type Made } from "./tools/scenario-calls.ts";
import { noteEffect, wronglyAnnotated } from "./tools/scenario-effects.ts";
import { type Layout, lay } from "./tools/scenario-layout.ts";
import { type Tree, treeOf } from "./tools/scenario-tree.ts";
import { comparable, neverCompared, type Recorded } from "./tools/scenario-wording.ts";

const HERE = join(import.meta.dirname, "scenarios");

/**
 * A scenario is a folder: input/ and layout.json (what git cannot hold), call.json, result.json; for the tool that its
 * parent folder names. Several calls in call.json are made one after the other. expected/ and expected.json are all
 * that is there afterwards; without them nothing may change. `vitest -u` writes result.json anew. A message or hint that
 * is not the point of a scenario is left out of it by hand, and stays out.
 */
describe.each(directoriesIn(HERE))("%s", (tool) => {
  it.each(directoriesIn(join(HERE, tool)))("%s", async (name) => {
    const folder = join(HERE, tool, name);
    const root = await laidOut(folder, "input", "layout.json");
    const before = treeOf(root);
    const made = await inTurn(root, tool, [read(folder, "call.json")].flat());
    const answers = made.filter((each) => each.tool !== undefined);
    expect(answers.map(({ data }) => data)).toEqual(answers.map(promisedBy));
    expect(answers.flatMap(saidOnce)).toEqual([]);
    for (const { tool: called, effect } of answers) if (called && effect) noteEffect(called, effect);
    const { after, timed } = await promisedTree(folder, before);
    expect(treeOf(root, timed)).toEqual(after);
    const recorded = [read(folder, "result.json", [])].flat() as readonly Recorded[];
    const shown = steady(made, root)
      .filter((_, index) => made[index]?.tool !== undefined)
      .map((each, index) => comparable(each, recorded[index]));
    const result = plainJson(shown.length === 1 ? shown[0] : shown);
    await expect(result).toMatchFileSnapshot(join(folder, "result.json"));
  });
});

it("each tool changes files in some scenario, or says that it only reads", () => {
  expect(wronglyAnnotated()).toEqual([]);
});

it("every message and hint is compared in some scenario", () => {
  expect(neverCompared()).toEqual([]);
});

const FAULT: unknown = expect.objectContaining({
  code: expect.toSatisfy((code: string) => Object.hasOwn(CODES, code)),
  message: expect.any(String),
  hint: expect.any(String),
});

const promisedBy = ({ isError, data, tool }: Made): unknown => (isError ? { error: FAULT } : tool?.output.parse(data));

/** Paths in `timed` have a time of their own in expected.json. */
async function promisedTree(folder: string, before: Tree): Promise<{ after: Tree; timed: ReadonlySet<string> }> {
  const layout = read(folder, "expected.json", null) as Layout | null;
  if (layout === null && !existsSync(join(folder, "expected"))) return { after: before, timed: new Set() };
  const timed = new Set(Object.keys(layout ?? {}).filter((name) => layout?.[name]?.modified !== undefined));
  return { after: treeOf(await laidOut(folder, "expected", "expected.json"), timed), timed };
}

async function laidOut(folder: string, files: string, layout: string): Promise<string> {
  const root = scratch();
  if (existsSync(join(folder, files))) await cp(join(folder, files), root, { recursive: true });
  lay(root, read(folder, layout, {}) as Layout);
  return root;
}

/** Formats a value as JSON, with characters escaped that an editor does not show. */
const plainJson = (value: unknown): string =>
  `${JSON.stringify(value, null, 2)}\n`.replace(
    /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g,
    (hidden) => `\\u${hidden.charCodeAt(0).toString(16)}`,
  );

function directoriesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

function read(folder: string, file: string, otherwise?: unknown): unknown {
  if (otherwise !== undefined && !existsSync(join(folder, file))) return otherwise;
  return JSON.parse(readFileSync(join(folder, file), "utf8"));
}
