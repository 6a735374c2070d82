import { LIMITS } from "../../../base/limits.ts";
import { entriesOfPicture, type PictureBytes, type PictureEntry } from "../../../storage/picture-entries.ts";
import { type GitIndex, isCleanIn, readGitIndex } from "./git-index.ts";

/** The files of a picture in the order in which they are copied. */
export interface CopyPriority {
  readonly entries: readonly PictureEntry[];
  /** Counts those at the front that nothing else could bring back: what git does not have, and its own notes. */
  readonly unsaved: number;
}

/**
 * Puts what is most missed first: files that git does not have as they are, then clean ones, then what programs can
 * make again; of each the newest first. Leaves out files that are too large.
 */
export function copyPriority(bytes: PictureBytes, contentOf: (path: string) => Uint8Array | null): CopyPriority {
  const all = [...entriesOfPicture(bytes)].filter(isCopied);
  const rankOf = createRank(all, contentOf);
  const ranked = all.map((entry) => ({ entry, rank: rankOf(entry) }));
  const sorted = ranked.toSorted((a, b) => a.rank - b.rank || b.entry.modifiedMs - a.entry.modifiedMs);
  return {
    entries: sorted.map(({ entry }) => entry),
    unsaved: ranked.filter(({ rank }) => rank === RANK.unsaved).length,
  };
}

const isCopied = ({ kind, size }: PictureEntry): boolean =>
  kind === "symlink" || (kind === "file" && size <= LIMITS.pictureFileBytes);

const RANK = { unsaved: 0, clean: 1, made: 2 };

/** Finds the repositories by their indexes. */
function createRank(
  all: readonly PictureEntry[],
  contentOf: (path: string) => Uint8Array | null,
): (entry: PictureEntry) => number {
  const indexes = all
    .filter(({ path }) => path === GIT_INDEX || path.endsWith(`/${GIT_INDEX}`))
    .flatMap(({ path }): readonly [string, GitIndex][] => {
      const index = readGitIndex(contentOf(path) ?? new Uint8Array());
      return index ? [[path.slice(0, -GIT_INDEX.length), index]] : [];
    })
    // The innermost repository comes first.
    .toSorted(([one], [other]) => other.length - one.length);
  return (entry) => {
    if (isMade(entry.path)) return RANK.made;
    const [top = "", index] = indexes.find(([each]) => entry.path.startsWith(each)) ?? [];
    return index && isCleanIn(index, entry.path.slice(top.length), entry) ? RANK.clean : RANK.unsaved;
  };
}

const GIT_INDEX = ".git/index";

/** Recognises what package managers and build tools write, and the objects of git, which never change. */
const isMade = (path: string): boolean => MADE.test(path);

const MADE =
  /(?:^|\/)(?:node_modules|\.venv|venv|__pycache__|target|dist|build|\.next|\.cache|\.git\/(?:.*\/)?objects)\//;
