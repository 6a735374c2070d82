import { expect, it } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import { createState } from "../../src/storage/local/state/state.ts";
import { scratch } from "../runtime/scratch.ts";

const LONG = "é".repeat(LIMITS.stepBytes);

it.each([
  { name: "of no file", text: undefined, last: "" },
  { name: "of an empty file", text: "", last: "" },
  { name: "alone", text: "one\n", last: "one" },
  { name: "without its end", text: "tw", last: "" },
  { name: "before one without its end", text: "one\ntw", last: "one" },
  { name: "before a long one without its end", text: `one\ntwo\n${LONG}`, last: "two" },
  { name: "after others", text: "one\ntwo\n", last: "two" },
  { name: "that is longer than a step", text: `one\n${LONG}\n`, last: LONG },
  {
    name: "that begins with a step",
    text: `${"x".repeat(9)}\n${"y".repeat(LIMITS.stepBytes - 1)}\n`,
    last: "y".repeat(LIMITS.stepBytes - 1),
  },
  { name: "after a long one", text: `${LONG}\nend\n`, last: "end" },
])("the last line $name", ({ text, last }) => {
  const state = createState(scratch());
  if (text !== undefined) state.write("lines", text);
  expect(state.lastLine("lines")).toBe(last);
});
