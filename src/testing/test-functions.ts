/** Defines tests: `describe` and `it` of vitest, node:test, Jest or Mocha. */
export interface TestFunctions {
  readonly describe: (name: string, define: () => void) => unknown;
  readonly it: (name: string, test: () => void | Promise<void>) => unknown;
}
