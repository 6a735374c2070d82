import { LIMITS } from "../base/limits.ts";
import { spawnProgram } from "../exec/spawn.ts";
import { isBlockedAtPipe } from "../storage/local/blocked-at-pipe.ts";
import type { Root } from "../storage/local/jail/roots.ts";
import { createLocalStorage } from "../storage/local/local.ts";
import type { State } from "../storage/state.ts";
import type { Principal } from "../workspace/changes/change.ts";
import type { Retention } from "../workspace/changes/trash/trash.ts";
import { builtinSearcher } from "../workspace/search/builtin-searcher.ts";
import { createRipgrepSearcher } from "../workspace/search/ripgrep/ripgrep.ts";
import type { Searcher } from "../workspace/view.ts";
import { createWorkspace, type Workspace } from "../workspace/workspace.ts";
import type { Options } from "./options.ts";

/** Composes the files of this machine, with their history and search. */
export function workspaceOf(
  options: Options,
  roots: readonly Root[],
  places: readonly string[],
  state: State,
): Workspace {
  const { durability = "process", principal = "agent", dialect } = options;
  const writing = { stateDirectory: state.directory, durability, modes: dialect?.modes };
  return createWorkspace(createLocalStorage(places, { writerOptions: writing }), roots, {
    state,
    retention: retentionOf(principal, options.trashHours),
    isReadOnly: options.readOnly === true,
    searcher: searcherFor(options.ripgrep ?? findRipgrep),
  });
}

const retentionOf = (principal: Principal, hours: number | undefined): Retention => ({
  agent: LIMITS.agentTrashHours,
  user: LIMITS.userTrashHours,
  ...(hours !== undefined && { [principal]: hours }),
});

const searcherFor = (find: () => Promise<string | null>): Searcher =>
  createRipgrepSearcher({ spawn: spawnProgram, find, isBlockedOnPipe: isBlockedAtPipe, fallback: builtinSearcher });

/** Returns null where the package for this platform is missing: its index throws then. */
const findRipgrep = async (): Promise<string | null> => {
  try {
    return (await import("@vscode/ripgrep")).rgPath;
  } catch {
    return null;
  }
};
