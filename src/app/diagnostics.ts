import { homedir } from "node:os";
import { environmentOf } from "../exec/environment.ts";
import { startPipedIn } from "../exec/sandbox/piped-program.ts";
import type { Bounds, Sandbox } from "../exec/sandbox/sandbox.ts";
import { createClosedPlacesFinder } from "../runtime/commands/closed-places.ts";
import { createDiagnostics, type Diagnostics } from "../runtime/diagnostics/diagnostics.ts";
import type { DiagnosticsConfig, StartLanguageServer } from "../runtime/diagnostics/server-pool.ts";
import { unrestrictedView } from "../runtime/pipeline/unrestricted-view.ts";
import type { Rules } from "../runtime/rules/rules.ts";
import type { State } from "../storage/state.ts";
import type { SafePath } from "../storage/storage.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { closedPlaces } from "./commands.ts";
import type { Options } from "./options.ts";
import { sandboxesOf } from "./sandboxes.ts";

/** Holds what language servers need of the app. */
export interface DiagnosticsSources {
  readonly home: string;
  readonly state: State;
  readonly workspace: Workspace;
  readonly rules: () => Rules;
}

/** Composes the language servers without starting any. */
export function diagnosticsOf(
  options: Options,
  config: DiagnosticsConfig,
  roots: readonly SafePath[],
  sources: DiagnosticsSources,
): Diagnostics {
  const { warn = () => {} } = options;
  return createDiagnostics(config, { roots, start: startInSandbox(options, config, roots, sources), warn });
}

/** Starts servers in no root: interpreters load code from the directory that they are started in. */
function startInSandbox(
  options: Options,
  config: DiagnosticsConfig,
  roots: readonly SafePath[],
  { home, state, workspace, rules }: DiagnosticsSources,
): StartLanguageServer {
  const { warn = () => {} } = options;
  const sandboxes = sandboxesOf(state, { home: homedir(), closed: closedPlaces(options, home) });
  let choosing: Promise<Sandbox> | undefined;
  const chosen = async (): Promise<Sandbox> => {
    const { sandbox, note } = await sandboxes.choose({ kind: config.sandbox ?? "auto" });
    if (note !== undefined) warn(`Language servers run without a sandbox: ${note}`);
    return sandbox;
  };
  const finder = createClosedPlacesFinder();
  const bounds = async (): Promise<Bounds> => ({
    roots: roots.map((path) => ({ path, access: "ro" })),
    masked: await finder.find(rules(), unrestrictedView(workspace, NEVER), roots),
    readOnly: [],
    caches: [],
    network: "off",
    limits: {},
  });
  return (argv, _, onOutput) => {
    const { variables: environment } = environmentOf({ own: process.env, writable: roots });
    return startPipedIn((choosing ??= chosen()), { argv, directory: "/", environment }, bounds, onOutput);
  };
}

const NEVER = { aborted: false };
