import type { JobDescription } from "../../exec/jobs/job.ts";
import { outsideRepository } from "../../exec/sandbox/git-directories.ts";
import { networkHint } from "../../exec/sandbox/network/hint.ts";
import type { Bounds, Sandbox } from "../../exec/sandbox/sandbox.ts";

/** Returns what has to be known later to explain a failure, for the notes of a job. */
export function boundsNotes({ holds, rung }: Sandbox, bounds: Bounds): Readonly<Record<string, string>> {
  const { network } = bounds;
  const roots = bounds.roots.map(({ path }) => path);
  const outside = roots.flatMap((root) => outsideRepository(root, roots) ?? []);
  const isShown = rung !== "docker" && outside.every(({ directory }) => directory !== undefined);
  return {
    ...(holds.network && network !== "on" && { network: network === "off" ? "off" : "hosts" }),
    ...(holds.files && outside.length > 0 && { git: isShown ? "read" : "closed" }),
  };
}

/** Explains the failure of a command by its sandbox, where its output shows that this was the reason. */
export function failureHints({ sandbox, undo, notes }: JobDescription, output: string): readonly string[] {
  if (sandbox === undefined || sandbox === "none") return [];
  const network = notes?.["network"] === undefined ? undefined : networkHint(notes["network"], output);
  return [
    ...(network === undefined ? [] : [network]),
    ...(CROSS_DEVICE.test(output) ? [undo === "overlay" ? RENAME_ON_VIEW : RENAME_ACROSS] : []),
    ...gitHints(notes?.["git"], output),
    ...(undo === "overlay" && CLONED_LINK.test(output) ? [CLONE_HINT] : []),
    ...(UNMAPPED_OWNER.test(output) ? [OWNER_HINT] : []),
  ];
}

function gitHints(git: string | undefined, output: string): readonly string[] {
  if (git === "read" && /read-only file system/i.test(output)) return [GIT_READ_HINT];
  return git === "closed" && /not a git repository/i.test(output) ? [GIT_CLOSED_HINT] : [];
}

const GIT_READ_HINT =
  "git can only read here: this is a worktree or a submodule, and its repository is outside the roots. To commit, ask " +
  "the user to do it, or to make the directory of the repository a root as well";

const GIT_CLOSED_HINT =
  "git does not work here: the file .git names a directory outside the roots that is not shown to commands. Ask the " +
  "user to make the directory of the repository a root as well";

const CROSS_DEVICE = /invalid cross-device link|\bEXDEV\b|\bos error 18\b/i;

const RENAME_ON_VIEW =
  "an existing directory cannot be renamed in this sandbox (EXDEV): use mv, which copies, and git add -A instead of " +
  "git mv";

const RENAME_ACROSS =
  "the sandbox mounts some directories one by one, and nothing is renamed from one mount to another (EXDEV): " +
  "mv works, since it copies";

const CLONED_LINK = /hardlink different from source/i;

const CLONE_HINT =
  "a hard link to a file that is there already gets another inode on a view, which git takes for an attack: use " +
  "git clone --no-hardlinks";

const UNMAPPED_OWNER = /value too large for defined data type|\bEOVERFLOW\b|\bos error 75\b/i;

const OWNER_HINT =
  "a file belongs to a user or group that the sandbox does not know, so it cannot be changed on a view (EOVERFLOW): " +
  "ask the user to run chown on it, or change a copy";
