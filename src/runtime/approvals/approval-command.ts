import { PRODUCT } from "../../base/product.ts";
import { shellWord } from "../../text/shell-word.ts";

/** Returns a command that works when it is pasted into any shell of the same user. */
export type ApprovalCommand = (verb: "approve" | "show", id: string) => string;

/** Where the questions of a workspace are kept. */
export interface ApprovalCommandOptions {
  /** How a person calls our command line. */
  readonly program?: (() => string) | undefined;
  readonly roots: readonly string[];
  readonly home: string;
}

/** The state of a workspace is found by its roots, in this order; where all state lives may differ from shell to shell. */
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
