import { resolve } from "node:path";
import { isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { childOf, parentOf } from "../../base/paths.ts";
import { type DestructiveGit, preflight } from "../../exec/shell/preflight.ts";
import { visible } from "../../text/quote.ts";
import { readWholeFile } from "../../workspace/read/whole-file.ts";
import type { View } from "../../workspace/view.ts";
import type { ReadyCommand } from "./ready-command.ts";

/**
 * Says how to get back the commits that destructive forms of git throw away, by their ids, which are read before the
 * command runs. Runs no git: the repository may tell it to start programs.
 */
export async function gitLosses({ text, command }: ReadyCommand, view: View): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const lost of preflight(text).destructive) {
    const repository = await repositoryAt(resolve(command.directory, lost.directory ?? "."), view);
    if (repository !== undefined) notes.push(...(await notesOn(lost, repository, view)));
  }
  return [...new Set(notes)].map((note) => visible(note));
}

/**
 * Says how to get back what a command threw away. Claims nothing of one that failed: it may have stopped before, and the
 * list of its changes says whether undo is needed.
 */
export const lossNotes = (
  { text }: ReadyCommand,
  losses: readonly string[],
  { canUndo, hasFailed }: { readonly canUndo: boolean; readonly hasFailed: boolean },
): readonly string[] =>
  hasFailed ? losses.map((note) => `if it got that far: ${note}`) : [...losses, ...(canUndo ? keptFiles(text) : [])];

/** Says that undo brings back the files that destructive forms of git throw away. */
const keptFiles = (text: string): readonly string[] =>
  preflight(text)
    .destructive.filter(({ touches }) => touches.endsWith("files"))
    .map(({ command }) => visible(`${command}: what was not committed is kept; undo brings it back`));

async function notesOn(lost: DestructiveGit, repository: string, view: View): Promise<readonly string[]> {
  switch (lost.touches) {
    case "stashes":
      return stashNotes(lost, repository, view);
    case "branches":
      return branchNotes(lost, repository, view);
    case "remote":
      return remoteNotes(lost, repository, view);
    case "changed files":
    case "untracked files":
      return [];
  }
}

/** Returns the git directory around a directory; undefined where there is none in the workspace. */
async function repositoryAt(directory: string, view: View): Promise<string | undefined> {
  for (let at = directory; ; at = parentOf(at)) {
    const git = childOf(at, ".git");
    if ((await textOf(childOf(git, "HEAD"), view)) !== null) return git;
    if (at === "/" || view.roots.some(({ real }) => real === at)) return undefined;
  }
}

/** Reads a small file of a repository; null where it is missing, or outside the directories. */
async function textOf(path: string, view: View): Promise<string | null> {
  try {
    const facts = await view.stat(path, "follow");
    if (facts?.kind !== "file" || facts.size > LIMITS.gitFileBytes) return null;
    return Buffer.from((await view.withFile(path, readWholeFile)).bytes).toString();
  } catch (error) {
    if (isFault(error)) return null;
    throw error;
  }
}

/** Names the commits of stashes, which stay in the repository for a while after they are dropped. */
async function stashNotes({ command }: DestructiveGit, repository: string, view: View): Promise<readonly string[]> {
  const log = await textOf(`${repository}/logs/refs/stash`, view);
  const commits = [...(log ?? "").matchAll(/^[\da-f]{40,64} ([\da-f]{40,64}) /gm)].map(([, id]) => id).toReversed();
  const [, , act, which = "0"] = command.split(" ");
  const number = Number(which.replace(/^stash@\{(\d+)\}$/, "$1"));
  const lost = act === "clear" ? commits : commits.slice(number, number + 1);
  return lost.slice(0, LIMITS.refusedNames).map((id) => `${command}: git stash apply ${id} brings it back`);
}

async function branchNotes({ command }: DestructiveGit, repository: string, view: View): Promise<readonly string[]> {
  const refs = await refsIn(repository, view);
  return operandsOf(command).flatMap((name) => {
    const id = refs.get(`refs/heads/${name}`);
    return id === undefined ? [] : [`${command}: git branch -f ${name} ${id} brings it back`];
  });
}

/** Names the tips that a remote had when it was last fetched from or pushed to. */
async function remoteNotes({ command }: DestructiveGit, repository: string, view: View): Promise<readonly string[]> {
  const refs = await refsIn(repository, view);
  const head = /^ref: refs\/heads\/(.+)/.exec((await textOf(`${repository}/HEAD`, view)) ?? "")?.[1];
  const [remote = "origin", ...specs] = operandsOf(command);
  const named = specs.map(
    (spec) =>
      spec
        .replace(/^\+/, "")
        .split(":")
        .at(-1)
        ?.replace(/^refs\/heads\//, "") ?? "",
  );
  const isAll = /\s--(?:mirror|all)\b/.test(command);
  const branches = named.length > 0 ? named.map((name) => (name === "HEAD" ? head : name)) : [head];
  const prefix = `refs/remotes/${remote}/`;
  const lost = isAll
    ? [...refs.keys()].flatMap((ref) => (ref.startsWith(prefix) ? [ref.slice(prefix.length)] : []))
    : branches;
  return lost.slice(0, LIMITS.refusedNames).flatMap((name) => {
    const id = refs.get(`${prefix}${name}`);
    if (id === undefined) return [];
    return [
      `${command}: ${remote}/${name} was at ${id}; git push --force ${remote} ${id}:refs/heads/${name} brings it back`,
    ];
  });
}

/** Returns the words of a git command that are no options, after its name. */
const operandsOf = (command: string): readonly string[] =>
  command
    .split(" ")
    .slice(2)
    .filter((word) => word !== "" && !word.startsWith("-"));

/** Reads the refs that are looked up above: those packed into one file, and over them those in files of their own. */
async function refsIn(repository: string, view: View): Promise<Pick<Map<string, string>, "get" | "keys">> {
  const refs = new Map<string, string>();
  const packed = await textOf(`${repository}/packed-refs`, view);
  for (const [, id = "", ref = ""] of (packed ?? "").matchAll(/^([\da-f]{40,64}) (\S+)$/gm)) refs.set(ref, id);
  for (const folder of ["refs/heads", "refs/remotes"]) await addLooseRefs(refs, repository, folder, view);
  return refs;
}

async function addLooseRefs(refs: Map<string, string>, repository: string, folder: string, view: View): Promise<void> {
  const entries = await entriesIn(childOf(repository, folder), view);
  for (const { name, kind } of entries) {
    const ref = `${folder}/${name}`;
    if (kind === "directory" && folder.split("/").length < MOST_REF_NAMES)
      await addLooseRefs(refs, repository, ref, view);
    const id =
      kind === "file" ? /^[\da-f]{40,64}/.exec((await textOf(childOf(repository, ref), view)) ?? "")?.[0] : undefined;
    if (id !== undefined) refs.set(ref, id);
  }
}

const MOST_REF_NAMES = 10;

async function entriesIn(directory: string, view: View) {
  try {
    return await view.withDirectory(directory, (opened) => opened.entries());
  } catch (error) {
    if (isFault(error)) return [];
    throw error;
  }
}
