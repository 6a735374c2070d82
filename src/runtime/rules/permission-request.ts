import type { Change } from "../../workspace/changes/change.ts";
import type { Act, ExecAsk, ExecSecurity } from "../../base/verdicts.ts";
import type { NamedTool } from "../tools/match-tool.ts";

/** Requests one act of a call: at a place, by a command, or beyond the files by a tool. */
export interface PermissionRequest {
  readonly act: Act;
  readonly place: string;
  /** Counts the bytes that would be written, where that is known. */
  readonly size?: number | undefined;
  readonly command?: readonly string[];
  /** Is true for a change that a command made: git may change its own files. */
  readonly isByCommand?: boolean | undefined;
  /** Is true for a tree that a command made, and that holds something that decides what git runs. */
  readonly hasGitControl?: boolean | undefined;
  /** Is true where undo brings back what was at this place, and nothing is there now. */
  readonly isBroughtBack?: boolean | undefined;
  /** Says what else decides about a command. */
  readonly exec?: ExecRequest | undefined;
  /** Names the tool that reaches beyond the files. */
  readonly tool?: NamedTool | undefined;
  /** Lists the real paths of the roots of the session that uses that tool. */
  readonly roots?: readonly string[] | undefined;
  /** Is true for an entry of a tree that a request is about. */
  readonly isInTree?: boolean;
}

/** Requests a permission for a place and, where `tree` is set, for everything in it. */
export interface TreePermissionRequest extends PermissionRequest {
  /** Names the directory to look into. It differs from `place` where the request is about where the tree will be. */
  readonly tree?: string | undefined;
  /** Limits the request to what git may have committed of that tree: it never commits our store. */
  readonly isCommitted?: boolean | undefined;
  /** Names the tree in the store that will be at `place`. */
  readonly stored?: Extract<Change, { readonly kind: "adopt" }>["object"] | undefined;
  /** Lists what will be below `place`, by relative paths, where it is neither on the disk nor in the store yet. */
  readonly streamed?: readonly { readonly path: string; readonly size?: number | undefined }[] | undefined;
  /** Lists every name in that tree, where they are known: it is not looked into where no rule is about them. */
  readonly names?: readonly string[] | undefined;
  /** Says that the tree cannot be looked into: the strictest verdict that might apply in it is assumed. */
  readonly isUnseen?: boolean | undefined;
  /** Says that a question can wait until the changes are known; what is blocked is refused at once. */
  readonly isAskedLater?: boolean | undefined;
  /** Limits the request to the case that the content could be read more freely once it is at this place. */
  readonly carriedTo?: string | undefined;
}

/** Describes a program that a command runs, or a part of the command that nobody knows. */
export interface ExecRequest {
  /** Is true where the grammar covers the program with all its words, and it only reads. */
  readonly isKnown: boolean;
  /** Is true for a part of the command whose programs and words are not certain: no list and no rule can allow it. */
  readonly isUnclear: boolean;
  /** Names what is not known, for the person who is asked. */
  readonly reasons: readonly string[];
  /** Is true where what it changes reaches no file before the rules have decided about it. */
  readonly isContained: boolean;
  /** Tighten what the configuration says. */
  readonly security?: ExecSecurity | undefined;
  readonly ask?: ExecAsk | undefined;
  /** Asks each time, whatever the settings say: it runs without a sandbox and without undo. */
  readonly isElevated?: boolean | undefined;
  /** Says what an "always" stores about the program; absent where it may store nothing. */
  readonly scope?: ProgramScope | undefined;
}

/** Limits a stored yes to one program with exactly these words, in these directories and this sandbox. */
export interface ProgramScope {
  readonly words: readonly string[];
  /** The script that an interpreter runs, with its version. */
  readonly script?: string | undefined;
  readonly roots: readonly string[];
  readonly sandbox: string;
}
