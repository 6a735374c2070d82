import { expect, it } from "vitest";
import { isDeeperThan } from "../../src/base/json-depth.ts";

it.each([
  { name: "just as deep as allowed", text: "[[[1]]]", is: false },
  { name: "one level more", text: "[[[[1]]]]", is: true },
  { name: "objects count, too", text: '{"a":{"b":[{"c":1}]}}', is: true },
  { name: "beside each other is not in each other", text: "[[[1]],[[2]],[[3]],[[4]]]", is: false },
  { name: "not in a string", text: '["[[[[[[[[[["]', is: false },
  { name: "a string with quotes and backslashes", text: String.raw`["\"[[[[\\","\\\"[[[["]`, is: false },
  { name: "after such a string", text: String.raw`["\\",[[[1]]]]`, is: true },
  { name: "a string without end", text: '["[[[[[[[', is: false },
  { name: "too short to be deep", text: "[[[[[", is: false },
])("$name: $is", ({ text, is }) => {
  expect(isDeeperThan(text, 3)).toBe(is);
});
