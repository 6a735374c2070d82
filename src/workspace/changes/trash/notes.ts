import { hash } from "node:crypto";
import type { ObjectName } from "../../../storage/writer.ts";
import type { SafePath } from "../../../storage/storage.ts";
import type { State } from "../../../storage/state.ts";
import type { FileState, Principal } from "../change.ts";
import { isTrashItem } from "../journal/record-schema.ts";

/** What is known of one thing in the trash. It lies beside the thing, and outlives the history. */
export interface TrashItem {
  readonly id: string;
  readonly changeId: string;
  readonly object: ObjectName;
  readonly path: SafePath;
  readonly deletedMs: number;
  readonly expiresMs: number;
  readonly principal: Principal;
  readonly session: string;
  readonly image: FileState;
  readonly files: number;
  readonly bytes: number;
  /** It is being removed for good, and can no longer be brought back. */
  readonly isDoomed?: boolean | undefined;
}

/**
 * The files that hold trash items, one each. A file is named by the id and by a hash of the path, so that a listing of the
 * folder finds what was deleted from a path: of thousands of items only those are read.
 */
export interface TrashNotes {
  /** Newest first. */
  all(): readonly TrashItem[];
  /** Returns what was deleted from a path, newest first. */
  from(path: SafePath): readonly TrashItem[];
  /** The path, where it is known, saves the listing. */
  item(id: string, path?: SafePath): TrashItem | null;
  write(item: TrashItem): void;
  remove(id: string): void;
}

export function createTrashNotes(state: State): TrashNotes {
  const named = (isWanted: (name: NoteName) => boolean): readonly TrashItem[] =>
    state
      .list(FOLDER)
      .flatMap((file) => nameIn(file) ?? [])
      .filter(isWanted)
      .flatMap(({ file, id }) => itemIn(state, file, id))
      .toSorted((a, b) => (a.changeId < b.changeId ? 1 : -1));
  return {
    all: () => named(() => true),
    from(path) {
      const wanted = hashOf(path);
      return named(({ pathHash = wanted }) => pathHash === wanted).filter((item) => item.path === path);
    },
    item(id, path) {
      const direct = path === undefined ? [] : itemIn(state, `${id}.${hashOf(path)}`, id);
      return direct[0] ?? named((name) => name.id === id)[0] ?? null;
    },
    write: (item) => state.write(`${FOLDER}/${noteNameOf(item)}`, JSON.stringify(item)),
    remove(id) {
      for (const file of state.list(FOLDER)) if (nameIn(file)?.id === id) state.remove(`${FOLDER}/${file}`);
    },
  };
}

const FOLDER = "trash";

/** The file of an item. */
export const noteNameOf = ({ id, path }: Pick<TrashItem, "id" | "path">): string => `${id}.${hashOf(path)}`;

const hashOf = (path: SafePath): string => hash("sha256", path, "hex").slice(0, HASH_DIGITS);

const HASH_DIGITS = 16;

interface NoteName {
  readonly file: string;
  readonly id: string;
  /** Undefined in the name of an older note, which has to be read. */
  readonly pathHash?: string;
}

/** Undefined for a file that is none of ours. */
function nameIn(file: string): NoteName | undefined {
  const [, id, pathHash] = /^([0-9a-z]+-\d+)(?:\.([0-9a-f]{16}))?$/.exec(file) ?? [];
  if (id === undefined) return undefined;
  return pathHash === undefined ? { file, id } : { file, id, pathHash };
}

/** None where there is none, or where it is damaged. */
function itemIn(state: State, file: string, id: string): readonly TrashItem[] {
  try {
    const item: unknown = JSON.parse(state.read(`${FOLDER}/${file}`) ?? "");
    return isTrashItem(item, id) ? [item as TrashItem] : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
