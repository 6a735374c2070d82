import type { TestFunctions } from "../../src/testing/test-functions.ts";

/** Runs a suite as a test runner does, and returns the names of the tests that fail. */
export async function failingRows(define: (functions: TestFunctions) => void): Promise<readonly string[]> {
  const tests: { readonly name: string; readonly test: () => void | Promise<void> }[] = [];
  define({ describe: (_, body) => body(), it: (name, test) => tests.push({ name, test }) });
  const failing: string[] = [];
  for (const { name, test } of tests) {
    try {
      await test();
    } catch {
      failing.push(name);
    }
  }
  return failing;
}
