import { expect, it } from "vitest";
import { plant, run } from "./script.ts";

interface Case {
  readonly name: string;
  readonly files: readonly (readonly string[])[];
  readonly passed: boolean;
  readonly closes: string;
}

it.each<Case>([
  { name: "all passed", files: [["passed", "passed"], ["passed"]], passed: true, closes: "3 passed, 0 failed" },
  { name: "some skipped", files: [["passed", "skipped"]], passed: true, closes: "1 passed, 0 failed" },
  { name: "one failed", files: [["passed", "failed"]], passed: false, closes: "1 passed, 1 failed" },
  { name: "a file without a test", files: [["passed"], []], passed: false, closes: "1 passed, 0 failed" },
  { name: "a file all skipped", files: [["passed"], ["skipped"]], passed: false, closes: "1 passed, 0 failed" },
  { name: "no file", files: [], passed: false, closes: "0 passed, 0 failed" },
])("counts $name", ({ files, passed, closes }) => {
  const { output, ...result } = run("count-tests.mjs", plant({ "reports/tests.json": reportOf(files) }));
  expect({ ...result, closes: output.trimEnd().split("\n").at(-1) }).toEqual({ passed, closes });
});

function reportOf(files: Case["files"]): string {
  const testResults = files.map((statuses, index) => ({
    name: `test/${index}.test.ts`,
    status: statuses.includes("failed") ? "failed" : "passed",
    assertionResults: statuses.map((status) => ({ status })),
  }));
  return JSON.stringify({ testResults });
}
