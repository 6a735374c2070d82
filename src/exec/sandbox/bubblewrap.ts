import { closeSync } from "node:fs";
import type { Command } from "../command.ts";
import { FILTER_DESCRIPTOR, type Launch, STATUS_DESCRIPTOR } from "./launch.ts";
import { limitWords } from "./limits.ts";
import { type Mount, mountsOf, SCRATCH_BYTES } from "./mounts.ts";
import type { JoinedNetwork } from "./network/join.ts";
import { createNetworkedSandbox } from "./networked-sandbox.ts";
import { overlayWords } from "./overlay.ts";
import { highestPid } from "./pid-bound.ts";
import { makePlaceholders } from "./placeholders.ts";
import type { Bounds, Sandbox, SandboxOptions, Streams } from "./sandbox.ts";
import { openSystemCallFilter } from "./system-call-filter.ts";
import { systemProgram } from "./system-programs.ts";

export interface BubblewrapOptions extends SandboxOptions {
  /** Says whether this version can forbid user namespaces inside: from 0.8.0 on. */
  readonly canDisableUserns: boolean;
  readonly hasViews: boolean;
}

/** Runs commands with bubblewrap, which builds a tree of files and namespaces for each. */
export const createBubblewrap = (options: BubblewrapOptions): Sandbox =>
  createNetworkedSandbox({ ...options, rung: "bubblewrap", prepare: (...given) => prepare(options, ...given) });

function prepare(
  options: BubblewrapOptions,
  command: Command,
  bounds: Bounds,
  streams: Streams,
  network: JoinedNetwork,
): Launch {
  const mounts = mountsOf(bounds, options);
  const filter = openSystemCallFilter();
  const bound = highestPid(bounds.limits);
  try {
    const argv = [
      ...network.words,
      ...(bounds.view ? overlayWords(bounds.view, process.getuid?.() === 0) : []),
      ...(streams.isTerminal === true ? UNINTERRUPTED : []),
      ...(bound === undefined ? [] : boundWords(bound, streams)),
      systemProgram("bwrap"),
      ...namespaceWords(options, network, streams),
      ...(filter === undefined ? [] : ["--seccomp", String(FILTER_DESCRIPTOR)]),
      ...mounts.flatMap(mountWords),
      ...mounts.filter(({ kind }) => kind === "empty").flatMap(({ path }) => ["--remount-ro", path]),
      "--remount-ro",
      "/",
      "--chdir",
      command.directory,
      "--",
      ...(streams.isTerminal === true ? [systemProgram("env"), "--default-signal=INT,QUIT,TSTP"] : []),
      // Where the numbers of processes are bounded, a limit on them has no effect: that is the case for root only.
      ...limitWords(bound === undefined ? bounds.limits : { ...bounds.limits, processes: undefined }),
      ...command.argv,
    ] as [string, ...string[]];
    const environment = { ...command.environment, ...network.variables };
    const placeholders = mounts.filter((mount) => mount.kind === "placeholder");
    const cleanUp = makePlaceholders(placeholders, options.placeholders);
    const isReaped = bound !== undefined;
    const prepared = { ...command, argv, directory: "/", environment, filter, cleanUp };
    return { ...prepared, reportsStart: true, innerPid: 2, isReaped };
  } catch (error) {
    if (filter !== undefined) closeSync(filter);
    throw error;
  }
}

/** Puts a pid namespace around that of bubblewrap, which has no word to bound its own. */
const boundWords = (bound: number, { supervisor }: Streams): readonly string[] => [
  ...(supervisor ? [systemProgram("setpriv"), "--pdeathsig", "KILL", "--"] : []),
  systemProgram("unshare"),
  "--pid",
  "--fork",
  "--kill-child",
  systemProgram("sh"),
  "-c",
  'ulimit -c 0 && echo "$0" > /proc/sys/kernel/pid_max && exec "$@"',
  String(bound),
];

/**
 * Keeps bubblewrap alive when a key of the terminal interrupts the command: both are in the group that gets the signal.
 * The command itself ignores nothing.
 */
const UNINTERRUPTED = ["/bin/sh", "-c", `trap '' INT QUIT TSTP; exec "$@"`, "sh"];

function namespaceWords(
  { canDisableUserns }: BubblewrapOptions,
  network: JoinedNetwork,
  streams: Streams,
): readonly string[] {
  const outlivesParent = streams.isDetached === true && streams.supervisor === undefined;
  return [
    "--unshare-user",
    "--uid",
    String(process.getuid?.()),
    "--gid",
    String(process.getgid?.()),
    ...(canDisableUserns ? ["--disable-userns"] : []),
    "--cap-drop",
    "ALL",
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    ...(network.isOwn ? ["--unshare-net"] : []),
    ...(outlivesParent ? [] : ["--die-with-parent"]),
    ...(streams.isDetached === true ? [] : ["--json-status-fd", String(STATUS_DESCRIPTOR)]),
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--perms",
    "0755",
    "--dir",
    "/run",
    ...LOCKED_SETTINGS,
  ];
}

/** Keeps root from settings of the kernel: they are open to its user id, whatever capabilities it has. */
const LOCKED_SETTINGS = ["/proc/sys", "/proc/sysrq-trigger"].flatMap((path) => ["--ro-bind-try", path, path]);

function mountWords(mount: Mount): readonly string[] {
  const { path } = mount;
  switch (mount.kind) {
    case "bind":
      return [mount.access === "rw" ? "--bind" : "--ro-bind", mount.source, path];
    case "link":
      return ["--symlink", mount.target, path];
    case "empty":
      return ["--perms", "0755", "--tmpfs", path];
    case "scratch":
      return ["--perms", "1777", "--size", String(SCRATCH_BYTES), "--tmpfs", path];
    case "closed":
      // Devices cannot be opened on a bind mount of bubblewrap.
      return ["--ro-bind", "/dev/null", path];
    case "blank":
      return ["--dev-bind", "/dev/null", path];
    case "placeholder":
      return ["--ro-bind", path, path];
  }
}
