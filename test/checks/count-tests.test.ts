import { expect, it } from "vitest";
import { plant, run } from "./script.ts";

/** The tests of each file, by how they ended. */
type Files = readonly (readonly string[])[];

interface Case {
  readonly name: string;
  readonly files: Files;
  readonly others?: Files;
  readonly passed: boolean;
  readonly closes: string;
}

it.each<Case>([
  { name: "all passed", files: [["passed", "passed"], ["passed"]], passed: true, closes: "3 passed, 0 failed" },
  { name: "some skipped", files: [["passed", "skipped"]], passed: true, closes: "1 passed, 0 failed" },
  { name: "one failed", files: [["passed", "failed"]], passed: false, closes: "1 passed, 1 failed" },
  { name: "a file without a test", files: [["passed"], []], passed: false, closes: "1 passed, 0 failed" },
  { name: "a file all skipped", files: [["passed"], ["skipped"]], passed: false, closes: "1 passed, 0 failed" },
  { name: "two runs", files: [["passed"]], others: [["passed", "passed"]], passed: true, closes: "3 passed, 0 failed" },
  {
    name: "a failure in another run",
    files: [["passed"]],
    others: [["failed"]],
    passed: false,
    closes: "1 passed, 1 failed",
  },
  { name: "another run without a test", files: [["passed"]], others: [], passed: false, closes: "1 passed, 0 failed" },
  { name: "no file", files: [], passed: false, closes: "0 passed, 0 failed" },
])("counts $name", ({ files, others, passed, closes }) => {
  const reports = {
    "reports/tests.json": reportOf(files),
    ...(others && { "reports/others.json": reportOf(others) }),
  };
  const { output, ...result } = run("count-tests.mjs", plant(reports));
  expect({ ...result, closes: output.trimEnd().split("\n").at(-1) }).toEqual({ passed, closes });
});

function reportOf(files: Files): string {
  const testResults = files.map((statuses, index) => ({
    name: `test/${index}.test.ts`,
    status: statuses.includes("failed") ? "failed" : "passed",
    startTime: 0,
    endTime: 1000,
    assertionResults: statuses.map((status) => ({ status })),
  }));
  return JSON.stringify({ testResults });
}
