import { describe, expect, it } from "vitest";
import { isFault } from "../../../src/base/errors.ts";
import { createPattern } from "../../../src/text/search/pattern.ts";
import { EVIL } from "../../contracts/evil-patterns.ts";
import { workFromNow } from "../../work.ts";

const plain = { isLiteral: false, ignoresCase: false, isWord: false };

describe("a mistake is named with its place", () => {
  it.each([
    { pattern: "(a", says: "missing closing ), at character 1", at: 1 },
    { pattern: "x(a(b)", says: "missing closing ), at character 2", at: 2 },
    { pattern: "[(](a", says: "missing closing ), at character 4", at: 4 },
    { pattern: "a)", says: "unexpected ), at character 2", at: 2 },
    { pattern: "ab[z-a]", says: "invalid character class range, at character 4", at: 4 },
    { pattern: "ab[c", says: "missing closing ], at character 3", at: 3 },
    { pattern: "a{2,1}", says: "invalid repeat count, at character 2", at: 2 },
    { pattern: "a**", says: "invalid nested repetition operator, at character 2", at: 2 },
    { pattern: "*a", says: "missing argument to repetition operator, at character 1", at: 1 },
    { pattern: "a(?=b)", says: "look-around and back-references are not supported, at character 2", at: 2 },
    { pattern: "(a)\\1", says: "look-around and back-references are not supported, at character 4", at: 4 },
    { pattern: "a\\y", says: "invalid escape sequence, at character 2", at: 2 },
    { pattern: "x{1001}", says: "invalid repeat count, at character 2", at: 2 },
  ])("$pattern", async ({ pattern, says, at }) => {
    const fault = await createPattern({ ...plain, pattern }).catch((error: unknown) => error);
    expect(isFault(fault) && [fault.code, fault.message.includes(says), fault.details["position"]]).toEqual([
      "invalid_input",
      true,
      at,
    ]);
  });
});

it.each(EVIL)("%s is found in linear time", async (pattern) => {
  const text = "a".repeat(50_000) + "!";
  for (const isWord of [false, true]) {
    const compiled = await createPattern({ ...plain, pattern, isWord });
    const spent = workFromNow();
    compiled.mayBeIn(text);
    compiled.firstIn(text);
    expect(spent()).toBeLessThan(4000);
  }
});

it("tells groups by number and name", async () => {
  const pattern = await createPattern({ ...plain, pattern: "(?P<key>\\w+)=(\\d+)?", isWord: true });
  expect([pattern.groupCount, pattern.groupNames]).toEqual([2, { key: 1 }]);
  expect(pattern.firstIn(" é= ")).toEqual({ start: 1, end: 3, groups: ["é", undefined] });
  expect(pattern.firstIn("a=1 b=2", 3)).toEqual({ start: 4, end: 7, groups: ["b", "2"] });
});
