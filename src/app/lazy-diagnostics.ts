import { isInNamedStorage, isWithin } from "../base/paths.ts";
import type { Diagnostics } from "../runtime/diagnostics/diagnostics.ts";
import type { DiagnosticsConfig } from "../runtime/diagnostics/server-pool.ts";
import { resolvedPath } from "../storage/local/jail/resolved-links.ts";
import type { SafePath } from "../storage/storage.ts";
import type { DiagnosticsSources } from "./diagnostics.ts";
import type { Options } from "./options.ts";

/** Asks language servers about changes. The code for it is loaded at the first change: most sessions have none. */
export function lazyDiagnostics(options: Options, sources: DiagnosticsSources): Diagnostics | undefined {
  const { diagnostics: config, warn = () => {} } = options;
  if (!config) return undefined;
  const places = new Set(sources.workspace.roots.map(({ real }) => real as SafePath));
  const roots = [...places].filter((place) => !isInNamedStorage(place));
  warnOfServersIn(roots, config, warn);
  let loaded: Promise<Diagnostics> | undefined;
  const load = (): Promise<Diagnostics> =>
    (loaded ??= import("./diagnostics.ts").then(({ diagnosticsOf }) => diagnosticsOf(options, config, roots, sources)));
  return {
    addTo: async (result, call) => (await load()).addTo(result, call),
    close: () => void loaded?.then(({ close }) => close()),
  };
}

function warnOfServersIn(
  roots: readonly string[],
  { servers }: DiagnosticsConfig,
  warn: (message: string) => void,
): void {
  const programs = servers.map(({ command: [program] }) => program).filter((each) => each.includes("/"));
  for (const program of programs.filter((each) => roots.some((root) => isWithin(resolvedPath(each), root))))
    warn(
      `The language server ${JSON.stringify(program)} is in a root: tools cannot write the program itself, but they can write files that it loads`,
    );
}
