import { existsSync, lstatSync } from "node:fs";
import { isWithin, parentOf } from "../../base/paths.ts";
import type { Command } from "../command.ts";
import { type Launch, STATUS_DESCRIPTOR } from "./launch.ts";
import { limitWords } from "./limits.ts";
import { escapedPath, type ListedMount, mountOf, ownMounts } from "./mountinfo.ts";
import { type Mount, mountAt, mountsOf, SCRATCH_BYTES } from "./mounts.ts";
import type { JoinedNetwork } from "./network/join.ts";
import { createNetworkedSandbox } from "./networked-sandbox.ts";
import { overlayWords } from "./overlay.ts";
import { highestPid } from "./pid-bound.ts";
import { makePlaceholders } from "./placeholders.ts";
import type { Bounds, Sandbox, SandboxOptions, Streams } from "./sandbox.ts";
import { findSystemProgram, systemProgram } from "./system-programs.ts";

export interface UnshareOptions extends SandboxOptions {
  readonly hasViews: boolean;
}

/**
 * Runs commands with programs of util-linux, which every distribution has: `unshare` makes the namespaces, a constant
 * script mounts the same tree of files that bubblewrap would, and `setpriv` takes every privilege away.
 */
export const createUnshare = (options: UnshareOptions): Sandbox =>
  createNetworkedSandbox({ ...options, rung: "unshare", prepare: (...given) => prepare(options, ...given) });

function prepare(
  options: UnshareOptions,
  command: Command,
  bounds: Bounds,
  streams: Streams,
  network: JoinedNetwork,
): Launch {
  const mounts = mountsOf(bounds, options);
  const words = [
    ...network.words,
    ...(bounds.view ? overlayWords(bounds.view, process.getuid?.() === 0) : []),
    ...namespaceWords(network, streams),
    systemProgram("sh"),
    "-c",
    BUILD_TREE,
    systemProgram("mount"),
    command.directory,
    streams.isDetached === true ? "" : "report",
    findSystemProgram("ip") ?? "",
    String(highestPid(bounds.limits) ?? ""),
    ...buildSteps(mounts),
    "--",
    systemProgram("setpriv"),
    "--no-new-privs",
    "--inh-caps=-all",
    "--ambient-caps=-all",
    "--bounding-set=-all",
    "--",
    ...limitWords(bounds.limits),
    ...command.argv,
  ] as [string, ...string[]];
  const placeholders = mounts.filter((mount) => mount.kind === "placeholder");
  const cleanUp = makePlaceholders(placeholders, options.placeholders);
  const environment = { ...command.environment, ...network.variables };
  return { ...command, argv: words, directory: "/", environment, reportsStart: true, innerPid: 1, cleanUp };
}

function namespaceWords(network: JoinedNetwork, streams: Streams): readonly string[] {
  return [
    ...(streams.supervisor ? [systemProgram("setpriv"), "--pdeathsig", "KILL", "--"] : []),
    systemProgram("unshare"),
    "--user",
    "--mount",
    "--pid",
    "--ipc",
    "--uts",
    "--cgroup",
    "--fork",
    "--kill-child",
    `--map-user=${process.getuid?.()}`,
    `--map-group=${process.getgid?.()}`,
    "--keep-caps",
    ...(network.isOwn ? ["--net"] : []),
  ];
}

/**
 * Builds the tree on /sys, where nothing of it comes from, and makes it the root. Gets steps as words: `link` and
 * `file` make a name, `mount` mounts a table in the format of fstab, so that one process mounts many places, and `lock`
 * makes an empty directory read-only. A redirection never overwrites a file (`set -C`), should a step be wrong.
 */
const BUILD_TREE = `set -e
set -C
directory=$1 report=$2 ip=$3 pids=$4 search=$PATH
PATH=/usr/bin:/bin:/usr/sbin:/sbin
shift 4
echo 0 >| /proc/sys/user/max_user_namespaces
[ -z "$pids" ] || echo "$pids" >| /proc/sys/kernel/pid_max
[ -z "$ip" ] || "$ip" link set lo up 2>/dev/null || :
"$0" -n -t tmpfs -o mode=0755,nosuid,nodev tmpfs /sys
cd /sys
mkdir dev proc run var
while [ "$1" != -- ]; do
  case $1 in
    link) ln -s "$2" ".$3"; shift 3 ;;
    file) : > ".$2"; shift 2 ;;
    mount) printf '%s' "$2" >| table; "$0" -n -a -T table; shift 2 ;;
    lock) "$0" -n -o remount,bind,ro,nosuid,nodev "/sys$2"; shift 2 ;;
  esac
done
shift
rm table
pivot_root . .
umount -l .
cd /
"$0" -n -o remount,bind,ro,nosuid,nodev /
cd "$directory"
PATH=$search
if [ -n "$report" ]; then echo began >&${STATUS_DESCRIPTOR}; exec ${STATUS_DESCRIPTOR}>&-; fi
exec "$@"`;

/** Returns the steps that build a tree of files, in order. */
function buildSteps(mounts: readonly Mount[]): readonly string[] {
  const listed = ownMounts();
  const tree = mounts.flatMap((mount) => [mount, ...mountsInside(mount, mounts, listed)]);
  return joinTables([
    ...DEVICES,
    ...tree.flatMap((mount) => mountSteps(mount, tree, listed)),
    ...processSteps(),
    ...mounts.filter(({ kind }) => kind === "empty").map(({ path }): Step => ["lock", path]),
  ]);
}

type Step =
  | readonly ["link", string, string]
  | readonly ["file", string]
  | readonly ["mount", string]
  | readonly ["lock", string];

/** Binds again what is mounted inside a directory that is only read: a flag of a bind is not one of the mounts in it. */
function mountsInside(mount: Mount, mounts: readonly Mount[], listed: readonly ListedMount[]): readonly Mount[] {
  if (mount.kind !== "bind" || mount.access === "rw") return [];
  const inside = listed.filter(({ path }) => path !== mount.path && isWithin(path, mount.path));
  return inside
    .filter(({ path }) => mountAt(path, mounts) === mount)
    .map(({ path }) => ({ kind: "bind", path, source: path, access: "ro" }));
}

/** Joins the lines of neighbours, so that each program that mounts them does as many as it can. */
function joinTables(steps: readonly Step[]): readonly string[] {
  const words: string[] = [];
  let table = "";
  for (const step of steps) {
    if (step[0] === "mount") {
      table += step[1];
      continue;
    }
    if (table) words.push("mount", table);
    table = "";
    words.push(...step);
  }
  return table ? [...words, "mount", table] : words;
}

function mountSteps(mount: Mount, tree: readonly Mount[], listed: readonly ListedMount[]): readonly Step[] {
  const { path } = mount;
  switch (mount.kind) {
    case "bind":
      return bindSteps(mount, lstatSync(mount.source).isDirectory(), tree, listed);
    case "link":
      return [["link", mount.target, path]];
    case "empty":
      return [line("tmpfs", path, "tmpfs", "mode=0755,nosuid,nodev,X-mount.mkdir")];
    case "scratch":
      return [line("tmpfs", path, "tmpfs", `mode=1777,size=${SCRATCH_BYTES},nosuid,nodev,X-mount.mkdir`)];
    case "closed":
      return [...fileStep(path, tree), line("/dev/null", path, "none", "bind,ro,nosuid,nodev,noexec")];
    case "blank":
      return [...fileStep(path, tree), line("/dev/null", path, "none", "bind,nosuid,noexec")];
    case "placeholder":
      return bindSteps({ kind: "bind", path, source: path, access: "ro" }, mount.isDirectory, tree, listed);
  }
}

function bindSteps(
  { path, source, access }: Extract<Mount, { kind: "bind" }>,
  isDirectory: boolean,
  tree: readonly Mount[],
  listed: readonly ListedMount[],
): readonly Step[] {
  const kept = mountOf(source, listed)?.options.filter((option) => KEPT_OPTIONS.has(option)) ?? [];
  const flags = new Set(["nosuid", "nodev", ...kept]);
  const options = ["rbind", access, ...flags, ...(isDirectory ? ["X-mount.mkdir"] : [])].join(",");
  return [...(isDirectory ? [] : fileStep(path, tree)), line(source, path, "none", options)];
}

/** Lists what a bind must keep of the mount that it shows: in a user namespace the kernel does not let it go. */
const KEPT_OPTIONS = new Set(["nosuid", "nodev", "noexec", "noatime", "nodiratime", "relatime"]);

/** Makes a file to mount on; below a bind there is one. */
const fileStep = (path: string, tree: readonly Mount[]): readonly Step[] =>
  mountAt(parentOf(path), tree)?.kind === "bind" ? [] : [["file", path]];

function line(source: string, path: string, type: string, options: string): Step {
  return ["mount", `${escapedPath(source)} /sys${escapedPath(path)} ${type} ${options} 0 0\n`];
}

/** The few devices that programs expect, and terminals of their own. */
const DEVICES: readonly Step[] = [
  line("tmpfs", "/dev", "tmpfs", "mode=0755,nosuid,noexec"),
  line("tmpfs", "/dev/shm", "tmpfs", `mode=1777,size=${SCRATCH_BYTES},nosuid,nodev,X-mount.mkdir`),
  line("devpts", "/dev/pts", "devpts", "newinstance,ptmxmode=0666,mode=620,nosuid,noexec,X-mount.mkdir"),
  ...["null", "zero", "full", "random", "urandom", "tty"].map((name): Step => ["file", `/dev/${name}`]),
  ...["null", "zero", "full", "random", "urandom", "tty"].map((name) =>
    line(`/dev/${name}`, `/dev/${name}`, "none", "bind,nosuid"),
  ),
  ["link", "pts/ptmx", "/dev/ptmx"],
  ["link", "/proc/self/fd", "/dev/fd"],
  ...["stdin", "stdout", "stderr"].map((name, at): Step => ["link", `/proc/self/fd/${at}`, `/dev/${name}`]),
];

/** Shows the processes of the command, without the settings of the kernel that root could write to. */
function processSteps(): readonly Step[] {
  const settings = ["sys", "sysrq-trigger", "irq", "bus"].filter((name) => existsSync(`/proc/${name}`));
  return [
    line("proc", "/proc", "proc", "nosuid,nodev,noexec"),
    ...settings.map((name) => line(`/sys/proc/${name}`, `/proc/${name}`, "none", "bind,ro,nosuid,nodev,noexec")),
  ];
}
