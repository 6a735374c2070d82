import type { z } from "zod";
import { isWithin } from "../../base/paths.ts";
import type { Version } from "../../base/version.ts";
import type { ObjectName } from "../../storage/writer.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { StreamedEntry, StreamedTree } from "../../storage/streamed-tree.ts";
import type { LineStats } from "../../text/diff/diff.ts";
import type { changeRecord, fileState, principal } from "./journal/record-schema.ts";

/** States the precondition of a change: this version, nothing (null), or anything (undefined) must be at the place. */
export type Expected = Version | null | undefined;

/**
 * Describes one change. Its paths are real: all links are resolved. The changes of a list are made in order, all or
 * none.
 */
export type Change =
  | Write
  | Append
  | Move
  | Copy
  | Remove
  | Restore
  | Adopt
  | Unpack
  | { readonly kind: "mkdir"; readonly path: SafePath }
  | { readonly kind: "chmod"; readonly path: SafePath; readonly mode: number; readonly expect?: Expected };

/** Is new bytes, a backup in the store, or the first bytes of the file itself. */
export type WriteContent = Uint8Array | ObjectName | { readonly size: number };

/** Gives a file a complete new content, or creates it. */
interface Write {
  readonly kind: "write";
  readonly path: SafePath;
  readonly content: WriteContent;
  readonly expect?: Expected;
  readonly mode?: number | undefined;
  /**
   * The file that the content comes from, where several files trade places: rules and secrets follow it as in a
   * move.
   */
  readonly movedFrom?: SafePath | undefined;
  /** Counts the changed lines for the history; absent when the content is not text. */
  readonly lines?: LineStats | undefined;
  /** Is present when the changed range is small. */
  readonly delta?: Delta | undefined;
  /** Is true when the session wrote all of this content itself, or was shown the rest. */
  readonly isKnown?: boolean | undefined;
  /** Is true when it replaces a content that the session has not seen. */
  readonly isUnseen?: boolean | undefined;
}

interface Append {
  readonly kind: "append";
  readonly path: SafePath;
  readonly bytes: Uint8Array;
  readonly expect?: Expected;
  readonly lines?: LineStats | undefined;
}

interface Move {
  readonly kind: "move";
  readonly path: SafePath;
  readonly to: SafePath;
  readonly expect?: Expected;
  /** The precondition for the destination, which is replaced. */
  readonly replaces: Expected;
  /** Is true when a file is expected at `path`. */
  readonly isFile?: boolean | undefined;
}

interface Copy extends Omit<Move, "kind"> {
  readonly kind: "copy";
}

interface Remove {
  readonly kind: "remove";
  readonly path: SafePath;
  readonly expect?: Expected;
  /**
   * Selects the destination: the trash, where `restore` finds it; the history, for undo only; nowhere, for good; or the
   * object that it was restored from.
   */
  readonly into: "trash" | "history" | "nowhere" | ObjectName;
  /** Removes only an empty directory, and skips one that is in use. */
  readonly unlessInUse?: boolean | undefined;
  /** Counts the contents of a tree, when the caller has counted them. */
  readonly counted?: Counted | undefined;
}

/** Counts the files of a tree. */
export interface Counted {
  readonly files: number;
  readonly bytes: number;
}

/** Moves an object from the store into the workspace. */
interface Restore {
  readonly kind: "restore";
  readonly object: ObjectName;
  readonly path: SafePath;
  readonly replaces: Expected;
  /**
   * The original path, when the object is restored elsewhere. `hasBelow` is true for a directory or a link, through
   * which more can be reached.
   */
  readonly origin?: { readonly path: SafePath; readonly hasBelow: boolean } | undefined;
}

/**
 * Moves what a command left on a view into the workspace. It counts as a write: the history knows nothing of the view.
 */
interface Adopt extends Pick<Write, "path" | "lines" | "delta"> {
  readonly kind: "adopt";
  readonly object: ObjectName;
  readonly replaces: Expected;
  /** The size of a file, which rules may limit. */
  readonly size?: number | undefined;
  /** Counts the contents of a tree. */
  readonly counted?: Counted | undefined;
  /** Is true where it holds something that decides what git runs. */
  readonly hasGitControl?: boolean | undefined;
  /** Lists every name in a tree once, where they are known. */
  readonly names?: readonly string[] | undefined;
}

/** Creates a file or a tree whose contents are streamed, or replaces a file. */
interface Unpack {
  readonly kind: "unpack";
  readonly path: SafePath;
  /** Holds all that the changes of a set take from one source: it is read once for all of them. */
  readonly tree: StreamedTree;
  /** Names the entry of the tree that goes to `path`, with everything below it; "" is the top. */
  readonly entry: string;
  /** Lists that entry and those below it. */
  readonly entries: readonly StreamedEntry[];
  readonly replaces: Expected;
  /** The place that the top of the tree is read from, where rules and secrets know it: inside an archive. */
  readonly origin?: SafePath | undefined;
}

/** Names the party that is accountable for a change. */
export type Principal = z.output<typeof principal>;

/** Names the session, party and tool that make a change. */
export interface Author {
  readonly session: string;
  readonly principal: Principal;
  readonly tool: string;
  /** The command that made it, where one did. */
  readonly command?: string | undefined;
}

export type ChangeRecord = Readonly<z.output<typeof changeRecord>>;
export type Effect = Readonly<ChangeRecord["effects"][number]>;
export type FileState = Readonly<z.output<typeof fileState>>;
export type Delta = Readonly<NonNullable<Effect["delta"]>>;

/** Lists changes that are made all or none. */
export interface ChangeSet {
  readonly changes: readonly Change[];
  readonly undoes?: readonly string[] | undefined;
  readonly undoneAt?: SafePath | undefined;
  /** Names the sets of several storages that are undone together. */
  readonly group?: string | undefined;
}

/** Checks that an effect altered this path itself. The source of a copy is not altered. */
export const isAt = ({ action, path, from }: Effect, place: SafePath): boolean =>
  path === place || (action === "move" && from === place);

/** Lists what a record altered at a path or below. Of a move to another storage it is all or nothing. */
export function alteredWithin<Each extends Effect>(
  { group }: Pick<ChangeRecord, "group">,
  effects: readonly Each[],
  place: SafePath | undefined,
): readonly Each[] {
  if (place === undefined || group !== undefined) return effects;
  return effects.filter(
    ({ action, path, from }) =>
      isWithin(path, place) || (action === "move" && from !== undefined && isWithin(from, place)),
  );
}
