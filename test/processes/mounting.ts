import { resolve } from "node:path";
import { onTestFinished } from "vitest";
import { createHoldfast, type PluginOption, type Holdfast, type HoldfastOptions } from "../../src/index.ts";
import type { ServerProgram } from "../../src/plugins/plugin.ts";
import { scratch, stateBeside } from "../runtime/scratch.ts";

/** The server in `fixtures`, made with the official SDK. */
export const NOTES: ServerProgram = {
  command: process.execPath,
  args: [resolve(import.meta.dirname, "fixtures/notes-server.mjs")],
};

/** The same for a server that speaks only the revision of 2026. */
export const STATELESS: ServerProgram = {
  command: process.execPath,
  args: [resolve(import.meta.dirname, "fixtures/stateless-server.mjs")],
};

/** A program of a few lines, for servers that no SDK would make. */
export const script = (text: string): ServerProgram => ({ command: process.execPath, args: ["-e", text] });

/** Everything may be called without asking. */
const FREE: NonNullable<HoldfastOptions["policy"]> = {
  rules: [{ act: ["exec", "network"], decide: "autonomous" }],
};

export interface HoldfastWithWarnings {
  readonly holdfast: Holdfast;
  /** Collects the warnings for the operator. */
  readonly warnings: readonly string[];
}

/** A program with these plugins, closed when the test ends. */
export function withPlugins(
  plugins: readonly PluginOption[],
  options: Partial<HoldfastOptions> = {},
): HoldfastWithWarnings {
  const root = scratch({ "a.txt": "A\n" });
  const warnings: string[] = [];
  const holdfast = createHoldfast({
    roots: [root],
    stateDirectory: stateBeside(root),
    policy: FREE,
    plugins,
    warn: (message) => warnings.push(message),
    ...options,
  });
  onTestFinished(() => holdfast.close());
  return { holdfast, warnings };
}

/** The same with servers of one plugin called "office". */
export const withServers = (servers: Readonly<Record<string, ServerProgram>>, options: Partial<HoldfastOptions> = {}) =>
  withPlugins([{ id: "office", servers }], options);

export const namesIn = (holdfast: Holdfast): readonly string[] => holdfast.tools().map(({ name }) => name);
