import { Fault } from "../base/errors.ts";
import { didYouMean, quotedInput } from "../text/did-you-mean.ts";
import type { Dialect } from "./dialect.ts";

/** Lists the built-in dialects, which are loaded lazily. A new dialect is a folder and a line here. */
const DIALECTS: Readonly<Record<string, () => Promise<Dialect>>> = {
  capabilities: async () => (await import("./capabilities/capabilities.ts")).capabilities,
  fractary: async () => (await import("./fractary/fractary.ts")).fractary,
  "mcp-filesystem": async () => (await import("./mcp-filesystem/mcp-filesystem.ts")).mcpFilesystem,
  picoclaw: async () => (await import("./picoclaw/picoclaw.ts")).picoclaw,
};

export const DIALECT_NAMES: readonly string[] = Object.keys(DIALECTS);

/** Loads a built-in dialect, or returns one of `others`. Throws when there is no dialect of that name. */
export async function loadDialect(name: string, others: readonly Dialect[] = []): Promise<Dialect> {
  const load = Object.hasOwn(DIALECTS, name) ? DIALECTS[name] : undefined;
  if (load) return load();
  const other = others.find((each) => each.name === name);
  if (other) return other;
  const names = [...DIALECT_NAMES, ...others.map((each) => each.name)];
  const help = didYouMean(name, names, `the dialects are ${names.join(", ")}`);
  throw new Fault("invalid_input", `Cannot use the dialect ${quotedInput(name)}: there is no such dialect; ${help}`);
}
