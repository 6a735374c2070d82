import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CODES } from "../src/base/errors.ts";
import { BUILTIN_TOOLS } from "../src/tools/index.ts";
import { type Caller, callerOn, scratch } from "./runtime/scratch.ts";
import { type Layout, lay } from "./tools/scenario-layout.ts";
import { type Answer, given, steady } from "./tools/scenario-answer.ts";

const HERE = join(import.meta.dirname, "scenarios");

/**
 * A scenario is a folder: input/ and layout.json (what git cannot hold), call.json, result.json; for the tool that its
 * parent folder names. Several calls in call.json are made one after the other. `vitest -u` writes result.json anew.
 */
describe.each(directoriesIn(HERE))("%s", (tool) => {
  const schema = BUILTIN_TOOLS.find(({ name }) => name === tool)?.output;

  it.each(directoriesIn(join(HERE, tool)))("%s", async (name) => {
    const folder = join(HERE, tool, name);
    const root = scratch();
    if (existsSync(join(folder, "input"))) await cp(join(folder, "input"), root, { recursive: true });
    lay(root, read(folder, "layout.json", {}) as Layout);
    const answers = await inTurn(callerOn(root), tool, root, read(folder, "call.json"));
    expect(answers.map(({ data }) => data)).toEqual(
      answers.map(({ isError, data }) => (isError ? { error: FAULT } : schema?.parse(data))),
    );
    const shown = answers.map((answer) => steady(answer, root));
    const result = plainJson(shown.length === 1 ? shown[0] : shown);
    await expect(result).toMatchFileSnapshot(join(folder, "result.json"));
  });
});

const FAULT: unknown = expect.objectContaining({
  code: expect.toSatisfy((code: string) => Object.hasOwn(CODES, code)),
  message: expect.any(String),
  hint: expect.any(String),
});

async function inTurn(caller: Caller, tool: string, root: string, calls: unknown): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const input of Array.isArray(calls) ? calls : [calls]) {
    const { isError, text, data } = await caller(tool, given(input, root, answers.at(-1)));
    answers.push({ isError, text, data });
  }
  return answers;
}

/** What cannot be seen in an editor is escaped. */
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
