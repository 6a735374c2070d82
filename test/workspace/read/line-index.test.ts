import { expect, it } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import type { Facts, SafePath } from "../../../src/storage/storage.ts";
import type { LineFeed } from "../../../src/text/line-feeds.ts";
import { createLineIndexes } from "../../../src/workspace/read/line-index.ts";

const factsOf = (identity: string, size = 10, times = "1:1"): Facts => ({
  path: "/a" as SafePath,
  kind: "file",
  size,
  modifiedMs: 0,
  createdMs: 0,
  accessedMs: 0,
  mode: 0o644,
  links: 1,
  owner: "me",
  identity,
  times,
});

it.each([
  { marks: [], line: 7, before: { line: 1, byte: 0 } },
  { marks: [5, 9], line: 4, before: { line: 1, byte: 0 } },
  { marks: [5, 9], line: 5, before: { line: 5, byte: 50 } },
  { marks: [9, 5], line: 8, before: { line: 5, byte: 50 } },
  { marks: [9, 5, 7, 7], line: 1000, before: { line: 9, byte: 90 } },
])("knows $marks: the last place before line $line is $before", ({ marks, line, before }) => {
  const index = createLineIndexes()(factsOf("1:1")).by("byte");
  for (const mark of marks) index.add({ line: mark, byte: mark * 10 });
  expect(index.before(line)).toEqual(before);
});

const STATES: readonly { name: string; facts: Facts; feed?: LineFeed; byte: number }[] = [
  { name: "the same state", facts: factsOf("1:1"), byte: 50 },
  { name: "another size", facts: factsOf("1:1", 11), byte: 0 },
  { name: "other times", facts: factsOf("1:1", 10, "2:1"), byte: 0 },
  { name: "another file", facts: factsOf("1:2"), byte: 0 },
  { name: "another kind of line feed", facts: factsOf("1:1"), feed: "utf-16le", byte: 0 },
];

it.each(STATES)("$name: remembers byte $byte", ({ facts, feed = "byte", byte }) => {
  const linesOf = createLineIndexes();
  linesOf(factsOf("1:1")).by("byte").add({ line: 5, byte: 50 });
  expect(linesOf(facts).by(feed).before(5).byte).toBe(byte);
});

it("evicts the least recently used file", () => {
  const linesOf = createLineIndexes();
  const names = Array.from({ length: LIMITS.lineIndexFiles }, (_, n) => `1:${n}`);
  for (const name of names) linesOf(factsOf(name)).by("byte").add({ line: 2, byte: 1 });
  linesOf(factsOf("1:0")).by("byte");
  linesOf(factsOf("1:new")).by("byte");
  const remembered = [...names].filter((name) => linesOf(factsOf(name)).by("byte").before(2).byte === 1);
  expect(remembered).toContain("1:0");
  expect(remembered).not.toContain("1:1");
});

it.each(STATES.slice(0, 4))("the encoding is remembered for one state of one file: $name", ({ facts, byte }) => {
  const linesOf = createLineIndexes();
  linesOf(factsOf("1:1")).label = "shift_jis";
  expect(linesOf(facts).label).toBe(byte > 0 ? "shift_jis" : undefined);
});
