import type { Version } from "../../base/version.ts";
import type { ObjectName } from "../../storage/writer.ts";
import type { Kind, SafePath } from "../../storage/storage.ts";
import type { LineStats } from "../../text/diff/diff.ts";

/** What must be at a place for a change to be made: this version, nothing (null), or whatever is there (undefined). */
export type Expected = Version | null | undefined;

/** Places are real: every link on the way resolved. A list of changes is made in order, all or none. */
export type Change =
  | Write
  | Append
  | Move
  | Copy
  | Remove
  | Restore
  | { readonly kind: "mkdir"; readonly path: SafePath }
  | { readonly kind: "chmod"; readonly path: SafePath; readonly mode: number; readonly expect?: Expected };

/** How one content became another, so that either can be told from the other: a single stretch of bytes, in base64. */
export interface Delta {
  readonly at: number;
  readonly length: number;
  readonly inserted: string;
}

/** Bytes, what was kept, or the start of the file itself. */
export type WriteContent = Uint8Array | ObjectName | { readonly size: number };

/** A whole new content, in place of what was there or where nothing was. */
interface Write {
  readonly kind: "write";
  readonly path: SafePath;
  readonly content: WriteContent;
  readonly expect?: Expected;
  readonly mode?: number | undefined;
  /** The file whose content it is, where several change places: rules and secrets follow it as in a move. */
  readonly movedFrom?: SafePath | undefined;
  /** What it changes, for the history; absent where the content is no text. */
  readonly lines?: LineStats | undefined;
  /** What it changes in bytes, where that is little. */
  readonly delta?: Delta | undefined;
  /** The session gave all of this content itself, or was shown what it did not give. */
  readonly isKnown?: boolean | undefined;
  /** It replaces a content that the session has not seen. */
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
  /** What may be replaced. */
  readonly replaces: Expected;
  /** What is expected at `path` is a file. */
  readonly isFile?: boolean | undefined;
}

interface Copy extends Omit<Move, "kind"> {
  readonly kind: "copy";
}

interface Remove {
  readonly kind: "remove";
  readonly path: SafePath;
  readonly expect?: Expected;
  /** Into the trash, where `restore` finds it; kept for undo only; gone for good; or back to where it came from. */
  readonly into: "trash" | "history" | "nowhere" | ObjectName;
  /** Only an empty directory goes; one in use stays. */
  readonly unlessInUse?: boolean | undefined;
  /** What a tree holds, as far as it was counted. */
  readonly counted?: { readonly files: number; readonly bytes: number } | undefined;
}

/** Brings something back from the store. */
interface Restore {
  readonly kind: "restore";
  readonly object: ObjectName;
  readonly path: SafePath;
  readonly replaces: Expected;
  /** What it was, when it comes back elsewhere; whether more can be reached through it, as in a directory or by a link. */
  readonly origin?: { readonly path: SafePath; readonly hasBelow: boolean } | undefined;
}

/** Who answers for a change. */
export type Principal = "agent" | "user";

/** On whose behalf something is changed. */
export interface Author {
  readonly session: string;
  readonly principal: Principal;
  readonly tool: string;
}

/** What was or is at a place. */
export interface FileState {
  readonly kind: Kind;
  readonly version: Version;
  readonly size: number;
  readonly mode: number;
  readonly modifiedMs: number;
  /** Names the very object, to find out whether it is still that one. */
  readonly identity: string;
  /** The state of a whole tree that was copied, brought back or removed, as `treeSum` tells it. */
  readonly fingerprint?: string | undefined;
  /** Where it is kept, when it no longer has its place. */
  readonly object?: ObjectName | undefined;
}

/** What one change did. `before` is what was at `path`, `after` what is there now; a move brought it there from `from`. */
export interface Effect {
  readonly action: "create" | "replace" | "append" | "move" | "copy" | "delete" | "mkdir" | "chmod" | "restore";
  readonly path: SafePath;
  readonly from?: SafePath | undefined;
  /** What was brought back came from here. */
  readonly source?: ObjectName | undefined;
  readonly before: FileState | null;
  readonly after: FileState | null;
  readonly lines?: LineStats | undefined;
  readonly delta?: Delta | undefined;
  /** The session that made the change had not seen the content that it replaced. */
  readonly isUnseen?: boolean | undefined;
}

/** One committed change set, as the history keeps it. */
export interface ChangeRecord extends Author {
  readonly id: string;
  readonly timeMs: number;
  readonly effects: readonly Effect[];
  /** The changes that this one takes back, */
  readonly undoes?: readonly string[] | undefined;
  /** and where, when it is not all of them. */
  readonly undoneAt?: SafePath | undefined;
}

/** What should happen, all or none of it. */
export interface ChangeSet {
  readonly changes: readonly Change[];
  readonly undoes?: readonly string[] | undefined;
  readonly undoneAt?: SafePath | undefined;
}

/** Whether it altered this very place. What a copy was made of, it left alone. */
export const isAt = ({ action, path, from }: Effect, place: SafePath): boolean =>
  path === place || (action === "move" && from === place);
