import { homedir } from "node:os";
import { childOf, isInNamedStorage, parentOf } from "../base/paths.ts";
import { environmentOf } from "../exec/environment.ts";
import { createJobs } from "../exec/jobs/jobs.ts";
import { cachesFor } from "../exec/sandbox/caches.ts";
import { createExistingContainer } from "../exec/sandbox/docker/existing-container.ts";
import { IMAGE_PROGRAMS, UNKNOWN_PROGRAMS } from "../exec/sandbox/docker/image-programs.ts";
import { notedPlaceholders } from "../exec/sandbox/placeholder-notes.ts";
import { removeLeftPlaceholders } from "../exec/sandbox/placeholders.ts";
import { createPrograms } from "../exec/sandbox/programs.ts";
import { createBackgroundJobs } from "../runtime/commands/background-jobs.ts";
import { createClosedPlacesFinder } from "../runtime/commands/closed-places.ts";
import type { ChosenSandbox } from "../runtime/commands/command-parts.ts";
import type { Commands } from "../runtime/commands/commands.ts";
import { createCommands } from "../runtime/commands/create-commands.ts";
import { MAIN_AGENT } from "../runtime/audit/audit.ts";
import type { Rules } from "../runtime/rules/rules.ts";
import type { JobEnds } from "../runtime/sessions/job-ends.ts";
import type { ExecConfig } from "../runtime/tools/config.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { operatorPlaces, SYSTEM_DIRECTORY } from "../config/places.ts";
import type { SafePath } from "../storage/storage.ts";
import type { State } from "../storage/state.ts";
import { approvalSocketPath } from "./approval-socket.ts";
import { jobsHomeOf, rootInContainer } from "./directories.ts";
import type { Options } from "./options.ts";
import { agentOf } from "./policy.ts";
import { placeholderNotesIn, sandboxesOf } from "./sandboxes.ts";

/** Holds what running commands needs of the app. */
export interface CommandSources {
  readonly home: string;
  readonly state: State;
  readonly workspace: Workspace;
  readonly config: () => ExecConfig;
  readonly rules: () => Rules;
}

/** Composes what runs the commands of a session. Looks for sandboxes and creates directories only when one runs. */
export function commandsOf(options: Options, sources: CommandSources): (session: string, jobEnds: JobEnds) => Commands {
  const jobs = createJobs({ home: jobsHomeOf(sources.home) });
  const { workspace, config } = sources;
  const places = new Set(workspace.roots.map(({ real }) => real as SafePath));
  const roots = [...places].filter((place) => !isInNamedStorage(place));
  const placeholders = placeholderNotesIn(sources.state.directory);
  removeLeftPlaceholders(placeholders);
  const usesContainer = (): boolean => options.container !== undefined && config().host !== "gateway";
  return (session, jobEnds) => {
    const closed = closedPlaces(options, sources.home);
    const sandboxes = sandboxesOf(sources.state, { home: homedir(), closed });
    const container = containerFor(options, workspace);
    return createCommands({
      ...sources,
      background: createBackgroundJobs(jobEnds),
      owner: { session, agent: agentOf(options), principal: options.principal ?? "agent", roots },
      jobs,
      isOneCall: options.isOneCall ?? false,
      placeholders: () => notedPlaceholders(placeholders),
      sandbox: async ({ sandbox = {} }) => (container && usesContainer() ? container : sandboxes.choose(sandbox)),
      unconfined: sandboxes.unconfined,
      closeSandboxes: async () => void (await Promise.all([sandboxes.close(), container?.sandbox.close()])),
      elevatedGate: () => (usesContainer() ? "the commands of this agent run in a container" : elevatedGateOf(options)),
      environment: (requested) =>
        environmentOf({
          own: usesContainer() ? {} : process.env,
          requested,
          pathPrepend: config().pathPrepend,
          writable: roots,
        }),
      programs({ variables }, rung) {
        if (rung === "docker") return IMAGE_PROGRAMS;
        if (rung === "container") return UNKNOWN_PROGRAMS;
        return createPrograms({ path: variables["PATH"] ?? "", writable: roots });
      },
      caches: () => cachesFor(roots, homedir(), childOf(sources.home, "caches")),
      home: homedir(),
      closedPlaces: createClosedPlacesFinder(),
      polled: new Map(),
      comparisons: new Map(),
    });
  };
}

/** Runs commands in the container of the program, where there is one. */
function containerFor(options: Options, { roots }: Workspace): ChosenSandbox | undefined {
  const shown = rootInContainer(options, roots);
  if (!options.container || !shown) return undefined;
  const note =
    `ran in the container ${options.container.name}: it alone bounds files, network and limits; rules about files ` +
    "do not hold there";
  return { sandbox: createExistingContainer(options.container, [shown]), note };
}

/** Lists what no command may see: our state, the configuration and the socket for approvals, wherever they are. */
export function closedPlaces(options: Options, home: string): readonly string[] {
  const socket = approvalSocketPath(options, home);
  return [
    home,
    ...operatorPlaces(process.env, options.configFile, SYSTEM_DIRECTORY).map(({ file }) => file),
    // Its directory: the socket itself may be made later, while a command runs.
    ...(socket === undefined ? [] : [parentOf(socket)]),
  ];
}

/** Names the first gate that keeps the agent from running commands without a sandbox. */
function elevatedGateOf({ agentContext = {}, toolConfig }: Options): string | undefined {
  const { agent = MAIN_AGENT, sender } = agentContext;
  const { enabled, allowFrom = {} } = toolConfig?.agents?.[agent]?.tools?.elevated ?? {};
  const key = `agents.${agent}.tools.elevated`;
  if (enabled !== true) return `${key}.enabled is not true`;
  if (!sender) return `it is not known who sent the request, and ${key}.allowFrom names who may`;
  const allowed = allowFrom[sender.provider] ?? [];
  return allowed.includes(sender.id) || allowed.includes("*") ? undefined : `${key}.allowFrom does not name the sender`;
}
