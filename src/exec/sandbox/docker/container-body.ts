import type { Bounds } from "../sandbox.ts";
import type { EngineInfo } from "./engine.ts";
import { KEEPER_SCRIPT } from "./keeper.ts";
import { EMPTY_IN_PODMAN, isEmpty, mountBody, type MountPlan } from "./mounts.ts";

/** The user that commands run as in a container, so that their files belong to the user of this process. */
export interface ContainerUser {
  readonly name: string;
  readonly namespace: string;
}

/** Maps the user of this process to the one that owns its files in a container of this engine. */
export function containerUser({ SecurityOptions, Rootless, BuildahVersion }: EngineInfo): ContainerUser {
  const [uid, gid] = [process.getuid?.() ?? 1000, process.getgid?.() ?? 1000];
  const has = (option: string): boolean => (SecurityOptions ?? []).some((each) => each.includes(`name=${option}`));
  const isRootless = Rootless === true || has("rootless");
  // Rootless Podman can keep the ids; for rootless Docker, root of the container is the user.
  if (isRootless && BuildahVersion !== undefined) return { name: `${uid}:${gid}`, namespace: "keep-id" };
  if (isRootless) return { name: "0:0", namespace: "" };
  return { name: `${uid}:${gid}`, namespace: has("userns") ? "host" : "" };
}

export interface ContainerOptions {
  readonly image: string;
}

/** Returns the body of the request that creates a container: everything is closed but what the bounds open. */
export function containerBody(
  { image }: ContainerOptions,
  { limits, network }: Bounds,
  plan: MountPlan,
  { user, isPodman }: { readonly user: ContainerUser; readonly isPodman: boolean },
): ContainerBody {
  const { memoryBytes, processes, fileBytes, cpuSeconds } = limits;
  // Podman copies what is there into an empty place, unless an option forbids it that only its other list can hold.
  const emptied = isPodman ? plan.mounts.filter(isEmpty) : [];
  return {
    Image: image,
    Hostname: "sandbox",
    User: "0:0",
    WorkingDir: "/",
    Entrypoint: ["sh", "-c", KEEPER_SCRIPT],
    Cmd: [],
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    HostConfig: {
      NetworkMode: network === "off" ? "none" : "bridge",
      UsernsMode: user.namespace,
      ReadonlyRootfs: true,
      CapDrop: ["ALL"],
      // Process 1 ends the commands, which run as another user. They have no capability themselves.
      CapAdd: user.name.startsWith("0:") ? [] : ["KILL"],
      SecurityOpt: ["no-new-privileges"],
      IpcMode: "private",
      Tmpfs: {
        "/tmp": "rw,nosuid,nodev,exec,mode=1777",
        ...Object.fromEntries(emptied.map(({ target }) => [target, EMPTY_IN_PODMAN])),
      },
      Mounts: plan.mounts.filter((mount) => !emptied.includes(mount)).map(mountBody),
      ...(memoryBytes !== undefined && { Memory: memoryBytes, MemorySwap: memoryBytes }),
      ...(processes !== undefined && { PidsLimit: processes + OWN_PROCESSES }),
      Ulimits: [...ulimit("fsize", fileBytes), ...ulimit("cpu", cpuSeconds), ...ulimit("core", 0)],
      LogConfig: { Type: "none" },
    },
  };
}

export type ContainerBody = Readonly<Record<string, unknown>>;

/** Counts our own processes in a container: the keeper, its subshell, and the two shells around a command. */
const OWN_PROCESSES = 4;

const ulimit = (name: string, value: number | undefined): readonly object[] =>
  value === undefined ? [] : [{ Name: name, Soft: value, Hard: value }];
