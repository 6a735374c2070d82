import * as z from "zod";
import { MAX_DATE_MS } from "../../../base/time.ts";
import { objectParts, placeInStore } from "../../../storage/place.ts";
import type { SafePath } from "../../../storage/storage.ts";
import type { ObjectName } from "../../../storage/writer.ts";

export const realPath = z.custom<SafePath>((value) => typeof value === "string" && value.startsWith("/"));

export const objectName = z.custom<ObjectName>((value) => typeof value === "string" && isObjectName(value));

function isObjectName(text: string): boolean {
  try {
    return ["objects", "trash"].includes(objectParts(text as ObjectName).folder);
  } catch {
    return false;
  }
}

/** Names an entry of a tree that was staged, at any depth. */
export const stagedEntry = z.custom<ObjectName>((value) => typeof value === "string" && isEntryIn(value, "objects"));

/** Names an entry of what a command left on a view, at any depth. */
export const viewEntry = z.custom<ObjectName>((value) => typeof value === "string" && isEntryIn(value, "views"));

/** Names an entry of a picture, at any depth: a copy of a file, or of a directory. */
export const pictureEntry = z.custom<ObjectName>((value) => typeof value === "string" && isEntryIn(value, "pictures"));

function isEntryIn(text: string, folder: string): boolean {
  try {
    return placeInStore(text as ObjectName).folder === folder;
  } catch {
    return false;
  }
}

export const changeId = z.string().regex(/^[0-9a-z]+$/);

/** Accepts only what a Date can represent. */
export const storedTime = z.number().min(-MAX_DATE_MS).max(MAX_DATE_MS);

export const principal = z.enum(["agent", "user"]);

/** Describes a file, link or directory at one moment. Schemas are built at the first use: few sessions need them. */
export const fileState = z.lazy(() =>
  z.object({
    kind: z.enum(["file", "directory", "symlink", "other"]),
    version: z.string(),
    size: z.number(),
    mode: z.number(),
    modifiedMs: z.number(),
    /** Identifies the inode, to detect that it was replaced by another. */
    identity: z.string(),
    /** The `treeChecksum` of a tree that was copied, restored or removed. */
    fingerprint: z.string().optional(),
    /** The backup in the store, when the file is no longer at its path. */
    object: objectName.optional(),
  }),
);

/** One committed change set as the history keeps it. */
export const changeRecord = z.lazy(() =>
  z.object({
    id: changeId,
    timeMs: storedTime,
    session: z.string(),
    principal,
    tool: z.string(),
    /** The command that made the changes. */
    command: z.string().optional(),
    effects: z.array(effect()).readonly(),
    /** Lists the changes that this one undoes. */
    undoes: z.array(z.string()).readonly().optional(),
    /** The only path that was undone, when the undo was limited to one. */
    undoneAt: realPath.optional(),
    /** Names the records of several storages that belong together: a move from one to another. */
    group: changeId.optional(),
    /** Identifies the object store that was changed. */
    store: z.string().optional(),
  }),
);

/** Describes what one change did. `before` was at `path` and `after` is there now; a move brought it from `from`. */
const effect = () =>
  z.object({
    action: z.enum(["create", "replace", "append", "move", "copy", "delete", "mkdir", "chmod", "restore"]),
    path: realPath,
    from: realPath.optional(),
    /** The object in the store that a restore brought back. */
    source: objectName.optional(),
    before: fileState.nullable(),
    after: fileState.nullable(),
    lines: z.object({ added: z.number(), removed: z.number() }).optional(),
    /**
     * Describes how one content became another, so that the newer one can be rebuilt from the older: a single range of
     * bytes, with its replacement in base64.
     */
    delta: z.object({ at: z.number(), length: z.number(), inserted: z.string() }).optional(),
    /** Is true when the session had not seen the content that it replaced. */
    isUnseen: z.boolean().optional(),
    /** Counts the files of which no copy was kept before a command changed or deleted them: undo leaves them. */
    uncopied: z.number().optional(),
  });
