import { type ApprovalChannel } from "../runtime/approvals/approval.ts";
import { type ApprovalParts, type Approvals, createApprovals } from "../runtime/approvals/approvals.ts";
import { createApprovalCommand } from "../runtime/approvals/approval-command.ts";
import { consoleLinkOf, createServerRegistry } from "../runtime/server/running.ts";
import type { State } from "../storage/state.ts";
import { isUsualHome } from "./directories.ts";
import type { CommandOptions } from "./options.ts";

/** Composes the channels for approvals: the approver of the program, a person at the command line, and `elsewhere`. */
export const approvalsOf = (
  options: CommandOptions,
  parts: Pick<ApprovalParts, "store" | "grants" | "execRules" | "audit" | "hasLocalChannels">,
  { home, state }: { readonly home: string; readonly state: State },
  elsewhere: readonly ApprovalChannel[],
): Approvals =>
  createApprovals({
    ...parts,
    command: createApprovalCommand({
      program: options.cliCommand,
      stateDirectory: isUsualHome(home) ? undefined : home,
    }),
    consoleLink: options.consoleLinks === false ? undefined : consoleLinksIn(state),
    channels: [
      ...(options.approver ? [{ name: options.approverChannel ?? "sdk", ask: options.approver }] : []),
      ...elsewhere,
    ],
    waitMs: options.approvalWaitMs ?? (options.approver ? undefined : options.dialect?.approvalWaitMs),
    warn: options.warn,
    onQuestion: options.onApprovalRequest,
  });

/** Finds the console of the user when a question needs it, since it may start and stop at any time. */
function consoleLinksIn(state: State): ((id: string) => string | undefined) | undefined {
  if (state.directory === "") return undefined;
  const { find } = createServerRegistry(state);
  return (id) => {
    const url = find()?.url;
    return url === undefined ? undefined : consoleLinkOf(url, id);
  };
}
