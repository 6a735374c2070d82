import { hash } from "node:crypto";
import * as z from "zod";
import { parseStored } from "../../../base/stored-json.ts";
import { objectParts } from "../../../storage/place.ts";
import { rootIdentity } from "../../../storage/root-identity.ts";
import type { SafePath } from "../../../storage/storage.ts";
import type { State } from "../../../storage/state.ts";
import { changeId, fileState, objectName, principal, realPath, storedTime } from "../journal/record-schema.ts";

/** Describes one object in the trash. Its file lies beside the object and outlives the history. */
const trashItem = z.lazy(() =>
  z.object({
    id: z.string(),
    changeId,
    object: objectName,
    path: realPath,
    deletedMs: storedTime,
    expiresMs: storedTime,
    principal,
    session: z.string(),
    image: fileState,
    files: z.number(),
    bytes: z.number(),
    /** Identifies the root that it was deleted from; absent in notes of older versions. */
    root: rootIdentity.optional(),
    /** Is true while the item is being erased: it can no longer be restored. */
    isDoomed: z.boolean().optional(),
  }),
);

export interface TrashItem extends Readonly<z.output<typeof trashItem>> {
  /** Is true where it was deleted from another directory, which had the same path. It is not stored. */
  readonly isOfReplaced?: boolean;
}

/**
 * Stores trash items in one file each. A file is named by the id and by a hash of the path, so that a directory listing
 * finds what was deleted from a path: of thousands of items only those are read.
 */
export interface TrashNotes {
  /** Returns items newest first. */
  all(): readonly TrashItem[];
  /** Returns what was deleted from a path, newest first. */
  from(path: SafePath): readonly TrashItem[];
  /** Finds the file without a listing when the path is known. */
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
      const searchedHash = hashOf(path);
      return named(({ pathHash = searchedHash }) => pathHash === searchedHash).filter((item) => item.path === path);
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

export const noteNameOf = ({ id, path }: Pick<TrashItem, "id" | "path">): string => `${id}.${hashOf(path)}`;

const hashOf = (path: SafePath): string => hash("sha256", path, "hex").slice(0, HASH_DIGITS);

const HASH_DIGITS = 16;

interface NoteName {
  readonly file: string;
  readonly id: string;
  /** Is undefined in the name of an older note, which has to be read. */
  readonly pathHash?: string;
}

/** Returns undefined for a file that is not a note. */
function nameIn(file: string): NoteName | undefined {
  const [, id, pathHash] = /^([0-9a-z]+-\d+)(?:\.([0-9a-f]{16}))?$/.exec(file) ?? [];
  if (id === undefined) return undefined;
  return pathHash === undefined ? { file, id } : { file, id, pathHash };
}

/** Returns nothing for a missing or damaged note. */
function itemIn(state: State, file: string, id: string): readonly TrashItem[] {
  const item = parseStored(trashItem, state.read(`${FOLDER}/${file}`));
  return item && hasOwnObject(item, id) ? [item] : [];
}

/** Checks that an item refers to the trash object with its own id: the trash must not remove anything else. */
function hasOwnObject(item: TrashItem, id: string): boolean {
  const { folder, name } = objectParts(item.object);
  return item.id === id && folder === "trash" && name === id;
}
