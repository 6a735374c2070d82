import { isInNamedStorage, isWithin } from "../base/paths.ts";
import { environmentOf } from "../exec/environment.ts";
import { startPipedProgram } from "../exec/spawn.ts";
import { createDiagnostics, type Diagnostics } from "../runtime/diagnostics/diagnostics.ts";
import type { StartLanguageServer } from "../runtime/diagnostics/server-pool.ts";
import { resolvedPath } from "../storage/local/jail/resolved-links.ts";
import type { Options } from "./options.ts";

/** Composes the language servers without starting any. Warns of those that an agent might write. */
export function diagnosticsOf(
  { diagnostics: config, warn = () => {} }: Options,
  places: readonly string[],
  start: StartLanguageServer = startPlainly(places),
): Diagnostics | undefined {
  if (!config) return undefined;
  const roots = places.filter((place) => !isInNamedStorage(place));
  const programs = config.servers.map(({ command: [program] }) => program).filter((each) => each.includes("/"));
  for (const program of programs.filter((each) => roots.some((root) => isWithin(resolvedPath(each), root))))
    warn(
      `The language server ${JSON.stringify(program)} is in a root: tools cannot write the program itself, but they can write files that it loads`,
    );
  return createDiagnostics(config, { roots, start, warn });
}

/** Starts servers in no root: interpreters load code from the directory that they are started in. */
const startPlainly =
  (roots: readonly string[]): StartLanguageServer =>
  ([file, ...args], _, onOutput) =>
    startPipedProgram(
      { file, args, directory: "/", env: environmentOf({ own: process.env, writable: roots }).variables },
      onOutput,
    );
