import type { TestFunctions } from "../../src/testing/test-functions.ts";

/** Runs one test of a suite, as a test runner does. */
export async function runRow(define: (functions: TestFunctions) => void, row: string): Promise<void> {
  const tests = new Map<string, () => void | Promise<void>>();
  define({ describe: (_, body) => body(), it: (name, test) => tests.set(name, test) });
  const test = tests.get(row);
  if (!test) throw new Error(`the suite has no row ${JSON.stringify(row)}`);
  await test();
}
