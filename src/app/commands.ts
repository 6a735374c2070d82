import { homedir } from "node:os";
import { childOf, isInNamedStorage } from "../base/paths.ts";
import { environmentOf } from "../exec/environment.ts";
import { createJobs, type Jobs } from "../exec/jobs/jobs.ts";
import { cachesFor } from "../exec/sandbox/caches.ts";
import { createPrograms } from "../exec/sandbox/programs.ts";
import { createClosedPlacesFinder } from "../runtime/commands/closed-places.ts";
import type { Commands } from "../runtime/commands/commands.ts";
import { createCommands } from "../runtime/commands/create-commands.ts";
import type { Rules } from "../runtime/rules/rules.ts";
import type { ExecConfig } from "../runtime/tools/config.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { operatorPlaces, SYSTEM_DIRECTORY } from "../config/places.ts";
import type { SafePath } from "../storage/storage.ts";
import type { State } from "../storage/state.ts";
import { jobsHomeOf } from "./directories.ts";
import type { Options } from "./options.ts";
import { agentOf } from "./policy.ts";
import { sandboxesOf } from "./sandboxes.ts";

/** Holds what running commands needs of the app. */
export interface CommandSources {
  readonly home: string;
  readonly state: State;
  readonly workspace: Workspace;
  readonly config: () => ExecConfig;
  readonly rules: () => Rules;
}

/** Composes what runs the commands of a session. Looks for sandboxes and creates directories only when one runs. */
export function commandsOf(options: Options, sources: CommandSources): (session: string) => Commands {
  const jobs = jobsIn(sources.home);
  const sandboxes = sandboxesOf(sources.state, { home: homedir(), closed: closedPlaces(options, sources.home) });
  const { workspace, config } = sources;
  const places = new Set(workspace.roots.map(({ real }) => real as SafePath));
  const roots = [...places].filter((place) => !isInNamedStorage(place));
  return (session) =>
    createCommands({
      ...sources,
      owner: { session, agent: agentOf(options), principal: options.principal ?? "agent", roots },
      jobs,
      sandbox: ({ sandbox = {} }) => sandboxes.choose(sandbox),
      unconfined: sandboxes.unconfined,
      elevatedGate: () => elevatedGateOf(options),
      environment: (requested) =>
        environmentOf({ own: process.env, requested, pathPrepend: config().pathPrepend, writable: roots }),
      programs: ({ variables }) => createPrograms({ path: variables["PATH"] ?? "", writable: roots }),
      caches: () => cachesFor(roots, homedir(), childOf(sources.home, "caches")),
      home: homedir(),
      closedPlaces: createClosedPlacesFinder(),
      polled: new Map(),
    });
}

/** Opens the jobs of the user. */
const jobsIn = (home: string): Jobs => createJobs({ home: jobsHomeOf(home) });

/** Lists what no command may see: our state and the configuration, wherever they are. */
export const closedPlaces = ({ configFile }: Options, home: string): readonly string[] => [
  home,
  ...operatorPlaces(process.env, configFile, SYSTEM_DIRECTORY).map(({ file }) => file),
];

/** Names the first gate that keeps the agent from running commands without a sandbox. */
function elevatedGateOf({ agentContext = {}, toolConfig }: Options): string | undefined {
  const { agent = "main", sender } = agentContext;
  const { enabled, allowFrom = {} } = toolConfig?.agents?.[agent]?.tools?.elevated ?? {};
  const key = `agents.${agent}.tools.elevated`;
  if (enabled !== true) return `${key}.enabled is not true`;
  if (!sender) return `nobody is known to have sent the request, and ${key}.allowFrom names who may`;
  const allowed = allowFrom[sender.provider] ?? [];
  return allowed.includes(sender.id) || allowed.includes("*") ? undefined : `${key}.allowFrom does not name the sender`;
}
