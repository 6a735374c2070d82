import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { mayBeInArchive } from "../base/archive-path.ts";
import { isInNamedStorage } from "../base/paths.ts";
import { spawnProgram } from "../exec/spawn.ts";
import { isBlockedAtPipe } from "../storage/local/blocked-at-pipe.ts";
import { identifyRoot } from "../storage/local/jail/root-identity.ts";
import type { Root } from "../storage/local/jail/roots.ts";
import { createLocalStorage } from "../storage/local/local.ts";
import { findRoot } from "../storage/local/state/find-root.ts";
import { removeTakenOver, takeOver } from "../storage/local/state/takeover.ts";
import type { RootIdentity } from "../storage/root-identity.ts";
import type { State } from "../storage/state.ts";
import type { Storage } from "../storage/storage.ts";
import type { Place, StorageWriter } from "../storage/writer.ts";
import type { Principal } from "../workspace/changes/change.ts";
import { unfinishedSetsOf } from "../workspace/changes/journal/unfinished.ts";
import type { OpenedRoots } from "../workspace/changes/journal/recovery.ts";
import type { Retention } from "../workspace/changes/trash/trash.ts";
import { builtinSearcher } from "../workspace/search/builtin-searcher.ts";
import { createRipgrepSearcher } from "../workspace/search/ripgrep/ripgrep.ts";
import type { Searcher } from "../workspace/view.ts";
import type { StorageWithState } from "../workspace/storage-access.ts";
import { createWorkspace, type Workspace } from "../workspace/workspace.ts";
import type { Options } from "./options.ts";
import { stateOfStorage } from "./states.ts";

/** Composes the directories of this machine and the storages of the program, with their history and search. */
export function workspaceOf(options: Options, roots: readonly Root[], parts: WorkspaceParts): Workspace {
  const { principal = "agent" } = options;
  const [first, ...others] = [...localPart(options, roots, parts.state), ...storageParts(options, parts)];
  if (!first) throw new Fault("invalid_input", "Cannot start without a directory or a storage");
  return createWorkspace([first, ...others], roots, {
    retention: retentionOf(principal, options.trashHours),
    isReadOnly: options.readOnly === true,
    showsReplaced: principal === "user",
    searcher: searcherFor(options.ripgrep ?? findRipgrep),
  });
}

interface WorkspaceParts {
  readonly home: string;
  readonly state: State;
  readonly storages: readonly Storage[];
}

/** Serves all directories of this machine as one storage; there may be none. */
function localPart(options: Options, roots: readonly Root[], state: State): readonly StorageWithState[] {
  const places = [...new Set(roots.map(({ real }) => real))].filter((real) => !isInNamedStorage(real));
  if (places.length === 0) return [];
  const open = localStorages(options, state);
  const identities = (): readonly RootIdentity[] => places.flatMap((place) => identifyRoot(place) ?? []);
  return [
    {
      storage: open(places),
      state,
      identities,
      takeOver: () =>
        takeOver(state, { roots: identities(), isFinished: (text) => unfinishedSetsOf(text).length === 0 }),
      removeTakenOver: () => removeTakenOver(state),
      openRoots: (others, ownPlaces) => openedAgain(others, ownPlaces, open),
      identify: identifyRoot,
    },
  ];
}

/** Opens roots of another process, if they are still the directories that they were. */
function openedAgain(
  roots: readonly RootIdentity[],
  ownPlaces: readonly Place[],
  open: (places: readonly string[]) => Storage,
): OpenedRoots | null {
  const now = roots.flatMap((root) => findRoot(root, ownPlaces) ?? []);
  if (roots.length === 0 || now.length < roots.length) return null;
  const writer = transactionalWriterOf(open(roots.map(({ path }) => path)));
  const devices = roots.map(({ dev }, nth) => [dev, now[nth]?.dev ?? dev] as const);
  return writer && { writer, devices: new Map(devices.filter(([was, is]) => was !== is)) };
}

const localStorages =
  ({ durability = "process", dialect }: Options, { directory }: State) =>
  (places: readonly string[]): Storage =>
    createLocalStorage(places, { writerOptions: { stateDirectory: directory, durability, modes: dialect?.modes } });

const transactionalWriterOf = ({ writer }: Storage): StorageWriter | null =>
  writer?.kind === "transactional" ? writer.writer : null;

const storageParts = (options: Options, { home, storages }: WorkspaceParts): readonly StorageWithState[] =>
  storages.map((storage) => ({ storage, state: stateOfStorage(options, home, storage) }));

const retentionOf = (principal: Principal, hours: number | undefined): Retention => ({
  agent: LIMITS.agentTrashHours,
  user: LIMITS.userTrashHours,
  ...(hours !== undefined && { [principal]: hours }),
});

/** Lets ripgrep search directories of this machine; it cannot see other storages or look into archives. */
function searcherFor(find: () => Promise<string | null>): Searcher {
  const onDisk = createRipgrepSearcher({
    spawn: spawnProgram,
    find,
    isBlockedOnPipe: isBlockedAtPipe,
    smallBytes: SMALL_BYTES,
    fallback: builtinSearcher,
  });
  return {
    ...onDisk,
    search: (view, start, query, report) =>
      (isInNamedStorage(start.place) || mayBeInArchive(start.place) ? builtinSearcher : onDisk).search(
        view,
        start,
        query,
        report,
      ),
  };
}

/** Starting ripgrep takes 4 ms of a server of 200 MB; a search of so many bytes in this process takes 0.1 to 3.6 ms. */
const SMALL_BYTES = 64 * 1024;

/** Returns null where the package for this platform is missing: its index throws then. */
const findRipgrep = async (): Promise<string | null> => {
  try {
    return (await import("@vscode/ripgrep")).rgPath;
  } catch {
    return null;
  }
};
