import { PRODUCT } from "../../base/product.ts";
import { shellWord } from "../../text/shell-word.ts";

/** Returns a command that works when it is pasted into any shell of the same user. */
export type ApprovalCommand = (verb: "approve" | "show", id: string) => string;

/** Locates the questions of a workspace. */
export interface ApprovalCommandOptions {
  /** Returns the command by which a person starts our command line. */
  readonly program?: (() => string) | undefined;
  readonly roots: readonly string[];
  readonly home: string;
}

/**
 * Names the roots in order, since they identify the state of a workspace, and the state home, which depends on the
 * environment.
 */
export const createApprovalCommand =
  ({ program = () => PRODUCT.name, roots, home }: ApprovalCommandOptions): ApprovalCommand =>
  (verb, id) =>
    [
      program(),
      "approvals",
      verb,
      id,
      ...roots.flatMap((root) => ["--root", shellWord(root)]),
      "--state",
      shellWord(home),
    ].join(" ");
