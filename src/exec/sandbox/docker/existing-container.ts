import { randomBytes } from "node:crypto";
import { Fault } from "../../../base/errors.ts";
import { isReadOnly, mountOf } from "../mountinfo.ts";
import type { Holds, Sandbox } from "../sandbox.ts";
import { startInContainer } from "./container-command.ts";
import { type SharedDirectory, toContainerPath } from "./container-paths.ts";
import { connectEngine, type Engine } from "./engine.ts";
import { findEngineSocket } from "./engine-socket.ts";
import { connectGuard, type Guard, GUARD_SCRIPT, PROCESS_MARK } from "./guard.ts";
import { checkStreams } from "./unsupported.ts";

/** A container that somebody else made, and that runs. */
export interface ExistingContainer {
  readonly name: string;
  /** The directory of the work in the container. */
  readonly directory: string;
  /** Holds variables that commands get besides those of the container. */
  readonly environment: Readonly<Record<string, string>>;
  /** With "ro" or "none", no command runs unless the container shows the directory read-only. */
  readonly access?: "none" | "ro" | "rw" | undefined;
}

/** Claims nothing: others decided what the container shows and reaches, and a command can hide a process there. */
const HOLDS: Holds = { files: false, network: false, processes: false, views: false };

/**
 * Runs commands in a container that somebody else made, as its own user. It is never created, stopped or removed here,
 * and none of the bounds is added to its own. `shared` says where it shows the roots.
 */
export function createExistingContainer(container: ExistingContainer, shared: readonly SharedDirectory[]): Sandbox {
  const { name, environment, access = "rw" } = container;
  const id = encodeURIComponent(name);
  const ownMark = randomBytes(12).toString("hex");
  let lastCommand = 0;
  let opened: Promise<Guard> | undefined;
  /** Returns the guard, or another one where a command ended it. */
  const guardIn = (engine: Engine): Promise<Guard> => {
    const open = (): Promise<Guard> => openGuard(engine, id, ownMark);
    opened = opened ? opened.then((known) => (known.isAlive() ? known : open()), open) : open();
    return opened;
  };
  return {
    rung: "container",
    holds: HOLDS,
    pathInside: (path) => toContainerPath(shared, path) ?? path,
    async start(command, _, streams) {
      checkStreams(streams);
      const engine = connectEngine(findEngineSocket(process.env));
      const directory = directoryIn(container, shared, command.directory);
      const guard = await guardIn(engine);
      if (access !== "rw") await requireReadOnly(guard, container);
      const mark = `${ownMark}.${++lastCommand}.`;
      const marked = { ...command, environment: { ...command.environment, [PROCESS_MARK]: mark } };
      const kill = async (signal: string, target: number | "all"): Promise<void> =>
        (await guardIn(engine)).kill(signal, target === "all" ? { mark } : target);
      const given = { command: marked, directory, environment, streams };
      return startInContainer(engine, { id, kill, giveUp: async () => {} }, given, async () => {});
    },
    async close() {
      (await opened?.catch(() => undefined))?.close();
    },
  };
}

/** Starts the guard, as the user of the container, like the commands. */
async function openGuard(engine: Engine, container: string, mark: string): Promise<Guard> {
  const { stream } = await engine.exec(container, {
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: false,
    Cmd: ["sh", "-c", GUARD_SCRIPT, "sh", mark],
  });
  return connectGuard(stream);
}

function directoryIn({ name }: ExistingContainer, shared: readonly SharedDirectory[], directory: string): string {
  const path = toContainerPath(shared, directory);
  if (path !== null) return path;
  throw new Fault(
    "outside_workspace",
    `Cannot run in ${JSON.stringify(directory)}: the container ${JSON.stringify(name)} does not show it`,
    { path: directory },
  );
}

/** Refuses a container that can change what the agent may only read. Nothing can be made read-only in it from here. */
async function requireReadOnly(guard: Guard, { name, directory }: ExistingContainer): Promise<void> {
  const mount = mountOf(directory, await guard.mounts());
  if (mount && isReadOnly(mount)) return;
  throw new Fault(
    "denied",
    `Cannot run commands: the agent may only read, and the container ${JSON.stringify(name)} can write to ${directory}`,
    { hint: 'Mount the directory read-only in the container, or set workspaceAccess to "rw"' },
  );
}
