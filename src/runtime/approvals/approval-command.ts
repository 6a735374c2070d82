import { PRODUCT } from "../../base/product.ts";
import { shellWord } from "../../text/shell-word.ts";

/** Returns a command that works when it is pasted into any shell of the same user. */
export type ApprovalCommand = (verb: "approve" | "show", id: string) => string;

export interface ApprovalCommandOptions {
  /** Returns the command by which a person starts our command line. */
  readonly program?: (() => string) | undefined;
  /** The state directory, where it is not the one that every shell of the user finds. */
  readonly stateDirectory?: string | undefined;
}

export const createApprovalCommand =
  ({ program = () => PRODUCT.name, stateDirectory }: ApprovalCommandOptions): ApprovalCommand =>
  (verb, id) =>
    [
      program(),
      "approvals",
      verb,
      id,
      ...(stateDirectory === undefined ? [] : ["--state", shellWord(stateDirectory)]),
    ].join(" ");
