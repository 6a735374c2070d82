import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { errorsIn, type FoundError, newErrors } from "../../../src/runtime/diagnostics/new-errors.ts";

const error = (line: number, message: string, excerpt: string): FoundError => ({ line, column: 1, message, excerpt });

describe("new errors", () => {
  it.each<{ name: string; before: FoundError[]; after: FoundError[]; added: number[] }>([
    { name: "of a clean file", before: [], after: [error(1, "a", "x")], added: [1] },
    { name: "that moved", before: [error(1, "a", "x")], after: [error(9, "a", "x")], added: [] },
    { name: "whose line was edited", before: [error(1, "a", "x")], after: [error(1, "a", "y")], added: [] },
    { name: "that were fixed", before: [error(1, "a", "x")], after: [], added: [] },
    {
      name: "with the message of an old one",
      before: [error(5, "a", "old")],
      after: [error(1, "a", "new"), error(6, "a", "old")],
      added: [1],
    },
    {
      name: "on the line of another",
      before: [error(1, "a", "x")],
      after: [error(1, "a", "x"), error(1, "b", "x")],
      added: [1],
    },
    {
      name: "once more on an equal line",
      before: [error(1, "a", "x")],
      after: [error(1, "a", "x"), error(2, "a", "x")],
      added: [2],
    },
  ])("$name", ({ before, after, added }) => {
    expect(newErrors(before, after).map(({ line }) => line)).toEqual(added);
  });
});

describe("errors in diagnostics", () => {
  const at = { range: { start: { line: 1, character: 2 }, end: { line: 1, character: 3 } } };

  it("leaves out warnings and hints, and keeps what has no severity", () => {
    const diagnostics = [1, 2, 3, 4, undefined].map((severity) => ({ ...at, severity, message: `${severity}` }));
    expect(errorsIn(diagnostics, "a\n  b\n")).toEqual([
      { line: 2, column: 3, message: "1", excerpt: "b" },
      { line: 2, column: 3, message: "undefined", excerpt: "b" },
    ]);
  });

  it("bounds what a message says", () => {
    const [found] = errorsIn([{ ...at, message: "long ".repeat(1000), code: 7, source: "s" }], "");
    expect(found).toEqual({ line: 2, column: 3, message: expect.any(String), code: "7", source: "s", excerpt: "" });
    expect(found?.message).toHaveLength(LIMITS.diagnosticChars);
  });

  it.each([undefined, null, {}, [null], [{}], [{ message: "x", range: {} }], [{ ...at, message: 7 }]])(
    "skips what is not as the protocol has it: %j",
    (diagnostics) => expect(errorsIn(diagnostics, "")).toEqual([]),
  );
});
