import { expect, it } from "vitest";
import { canBoundRoot } from "../../../src/exec/sandbox/pid-bound.ts";

it.each([
  ["6.14.0", true],
  ["6.18.44-custom", true],
  ["7.0.0-1-amd64", true],
  ["6.13.12", false],
  ["6.1.0-40-amd64", false],
  ["5.15.0", false],
  ["", false],
])("a kernel %j bounds the processes of each namespace: %s", (version, expected) => {
  expect(canBoundRoot(version)).toBe(expected);
});
