import { Fault } from "../../../base/errors.ts";
import type { Bounds, Holds, Sandbox, Streams } from "../sandbox.ts";
import { type ContainerOptions, containerBody, type ContainerUser, containerUser } from "./container-body.ts";
import { type SharedDirectory, toContainerPath } from "./container-paths.ts";
import { configurationOf, type Container, createContainer, removeAbandoned } from "./container.ts";
import { connectEngine, type Engine } from "./engine.ts";
import { findEngineSocket } from "./engine-socket.ts";
import { type MountPlan, planMounts } from "./mounts.ts";
import { alwaysMasked } from "./shareable.ts";
import { startInContainer } from "./container-command.ts";
import { checkStreams, unsupported } from "./unsupported.ts";

export interface DockerOptions extends ContainerOptions {
  /** Lists places of ours, such as the state and the configuration, that no container may see. */
  readonly closed: readonly string[];
  /** Says where containers show roots that they do not show at their own path, such as "/workspace". */
  readonly shownAt?: readonly SharedDirectory[] | undefined;
}

/** A view is made of mounts of our own, which an engine does not see: commands here work on the roots themselves. */
const HOLDS: Holds = { files: true, network: true, processes: true, views: false };

/**
 * Runs the commands of one session in containers: a warm one for each that runs at the same time, because all processes
 * of a container can be ended together, and those of a command among others cannot. A container is replaced when the
 * bounds change, or when what it shows was moved or replaced.
 */
export function createDockerSandbox(options: DockerOptions): Sandbox {
  const idle = new Set<Container>();
  const all = new Set<Container>();
  let connected: Promise<Connection> | undefined;
  const remove = async (container: Container): Promise<void> => {
    idle.delete(container);
    all.delete(container);
    await container.remove();
  };
  /** Takes a warm container, or creates one. Removes warm ones for other bounds. */
  const acquire = async (connection: Connection, bounds: Bounds): Promise<Container> => {
    const spec = specOf(options, connection, bounds);
    const configuration = configurationOf(spec);
    for (const container of idle) {
      idle.delete(container);
      if (container.configuration === configuration && (await isUsable(container))) return container;
      await remove(container);
    }
    const created = await createContainer(connection.engine, spec);
    all.add(created);
    return created;
  };
  /** Keeps one container warm; it removes others, and one that ended. */
  const release = async (container: Container): Promise<void> => {
    if (!all.has(container)) return;
    if (idle.size === 0 && container.keeper.isAlive()) idle.add(container);
    else await remove(container);
  };
  return {
    rung: "docker",
    holds: HOLDS,
    async start(command, bounds, streams) {
      checkSupported(bounds, streams);
      connected ??= connect().catch((error: unknown) => {
        connected = undefined;
        throw error;
      });
      const connection = await connected;
      const container = await acquire(connection, bounds);
      try {
        const directory = directoryIn(container.plan, command.directory);
        const given = { command, directory, user: connection.user.name, environment: { HOME: "/tmp" }, streams };
        const { id, keeper } = container;
        const owned = { id, kill: keeper.kill, giveUp: container.remove };
        return await startInContainer(connection.engine, owned, given, () =>
          release(container).catch(() => {
            // The engine is gone. If it comes back, the next process removes the container.
          }),
        );
      } catch (error) {
        await remove(container);
        throw error;
      }
    },
    async close() {
      await Promise.all([...all].map(remove));
    },
  };
}

interface Connection {
  readonly engine: Engine;
  readonly user: ContainerUser;
  readonly isPodman: boolean;
}

/** Finds the engine, and removes what processes left there that were killed. */
async function connect(): Promise<Connection> {
  const engine = connectEngine(findEngineSocket(process.env));
  const info = await engine.info();
  await removeAbandoned(engine);
  return { engine, user: containerUser(info), isPodman: info.BuildahVersion !== undefined };
}

function specOf(options: DockerOptions, connection: Connection, bounds: Bounds) {
  const { shownAt = [], closed, image } = options;
  const plan = planMounts(bounds, { shownAt, closed, masked: alwaysMasked(connection.engine.socket, closed) });
  return { image, plan, body: containerBody(options, bounds, plan, connection) };
}

async function isUsable(container: Container): Promise<boolean> {
  try {
    return await container.isUsable();
  } catch {
    // It ended, or does not answer.
    return false;
  }
}

function checkSupported({ view, network }: Bounds, streams: Streams): void {
  if (view) throw unsupported("run on a copy-on-write view in a container", "Use bubblewrap, or run without a view");
  if (typeof network === "object")
    throw unsupported("open single hosts to a container", 'Use bubblewrap, or the network "on"');
  checkStreams(streams);
}

function directoryIn({ shared }: MountPlan, directory: string): string {
  const path = isOfContainer(directory) ? directory : toContainerPath(shared, directory);
  if (path !== null) return path;
  throw new Fault("outside_workspace", `Cannot run in ${JSON.stringify(directory)}: the container does not show it`, {
    path: directory,
  });
}

/** Knows the directories that every container has for itself. */
const isOfContainer = (directory: string): boolean => directory === "/" || directory === "/tmp";
