// The words that start a shell as the floor does: with nothing around it but the namespaces that our commands have.

const SHELL = ["bash", "--noprofile", "--norc", "-c"];
const isRoot = process.getuid?.() === 0;

/** Runs a command in bash, in a pid namespace that ends with it. */
export const unshareWords = (command) => [
  "unshare",
  ...(isRoot ? [] : ["--user", "--map-current-user"]),
  "--pid",
  "--fork",
  "--kill-child",
  ...SHELL,
  command.join(" "),
];

const NAMESPACES = "--unshare-user --disable-userns --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try";
const TREE = "--ro-bind / / --dev /dev --proc /proc --tmpfs /tmp";

/** Runs a command in bash, in bubblewrap with the namespaces of our sandbox, the system, and one directory to write to. */
export const bubblewrapWords = (directory, command) => [
  "bwrap",
  ...`${NAMESPACES} --unshare-net --cap-drop ALL --die-with-parent ${TREE}`.split(" "),
  ...(directory === "/" ? [] : ["--bind", directory, directory]),
  "--chdir",
  directory,
  "--",
  ...SHELL,
  command.join(" "),
];
