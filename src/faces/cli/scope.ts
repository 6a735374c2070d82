import { mergeSettings } from "../../app/merged-settings.ts";
import { type CliWorkspace, withWorkspaceOf, type WorkspaceTask } from "./cli-workspace.ts";
import type { CliSettings } from "./flags.ts";

/**
 * Opens the directories that a command looks back at: those of `--root`, or else the current one, and with `--all`
 * everything. No server needs to have been started with them, and no configuration names others.
 */
export function withScope(settings: CliSettings, work: WorkspaceTask): Promise<number> {
  const named = settings.rootsWith([]);
  return withDirectories(
    settings,
    [...(named.length > 0 ? named : ["."]), ...(settings.all ? [EVERYTHING] : [])],
    work,
  );
}

const EVERYTHING = "/";

/**
 * Opens the directories of the sessions that made some changes, wherever they are, unless all that they touched is in
 * the scope of the command: a change is undone with the rules and the store of the place where it was made. The task
 * gets the names of those directories.
 */
export async function withChanges(
  settings: CliSettings,
  choose: (everything: CliWorkspace) => Promise<readonly string[]>,
  work: (workspace: CliWorkspace, elsewhere: string | undefined) => Promise<void>,
): Promise<number> {
  const roots = new Set<string>();
  const code = await withScope({ ...settings, all: true }, async (everything) => {
    const scope = everything.places.filter((place) => place !== EVERYTHING);
    for (const id of await choose(everything))
      for (const root of everything.admin.rootsOutside(scope, id)) roots.add(root);
  });
  if (code !== 0) return code;
  if (roots.size === 0) return withScope({ ...settings, all: false }, (workspace) => work(workspace, undefined));
  return withDirectories(settings, [...roots], (workspace) => work(workspace, workspace.name));
}

/** Opens exactly these directories, whatever the configuration names. */
export async function withDirectories(
  settings: CliSettings,
  directories: readonly string[],
  work: WorkspaceTask,
): Promise<number> {
  const { sources } = settings;
  const only = { ...settings, rootsWith: () => directories };
  return withWorkspaceOf(settings, { ...(await mergeSettings(only)), sources }, work);
}
