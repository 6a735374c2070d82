import { describe, expect, it } from "vitest";
import * as z from "zod";
import { BUILTIN_TOOLS } from "../../src/tools/index.ts";
import { saidOnce, undecided } from "./answer-halves.ts";

/** Names of all fields of a schema, also of those further in. */
function namesIn(schema: unknown): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]: [string, unknown]) => [
    ...(key === "properties" ? Object.keys(value as object) : []),
    ...namesIn(value),
  ]);
}

// What is in them is checked with every scenario, in scenarios.test.ts.
it.each(BUILTIN_TOOLS)("$name: somebody decided of every field how the text says it", ({ output }) => {
  expect(undecided(namesIn(z.toJSONSchema(output, { io: "input", unrepresentable: "any" })))).toEqual([]);
});

describe("an answer whose halves differ is found", () => {
  it.each([
    { name: "a cut", text: 'a\n[Cut: 1 more; cursor="1"]', data: {}, says: 'only in text: [Cut: 1 more; cursor="1"]' },
    { name: "a note of the text", text: "Edited\nNote: merged", data: {}, says: "only in text: Note: merged" },
    { name: "a note of the data", text: "a", data: { notes: ["Cut"] }, says: "only in data: notes" },
    { name: "a warning of the data", text: "a", data: { warnings: ["merged"] }, says: "only in data: warnings" },
    { name: "a dry run", text: "Edited", data: { dry_run: true }, says: "only in data: dry_run" },
    {
      name: "a way to go on",
      text: "a\n[Cut]",
      data: { notes: ["Cut"], truncated: true, cursor: "x" },
      says: "only in data: cursor",
    },
    {
      name: "an encoding of one of several files",
      text: "a.txt:\nä\n[x]",
      data: { files: [{ content: "ä", encoding: "shift_jis", notes: ["x"] }] },
      says: "only in data: encoding",
    },
  ])("$name", ({ text, data, says }) => {
    expect(saidOnce({ isError: false, text, data })).toEqual([says]);
  });
});
