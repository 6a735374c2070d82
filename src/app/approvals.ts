import { type ApprovalChannel } from "../runtime/approvals/approval.ts";
import { type ApprovalParts, type Approvals, createApprovals } from "../runtime/approvals/approvals.ts";
import { createApprovalCommand } from "../runtime/approvals/approval-command.ts";
import { isUsualHome } from "./directories.ts";
import type { Options } from "./options.ts";

/** Composes the channels for approvals: the approver of the program, a person at the command line, and `elsewhere`. */
export const approvalsOf = (
  options: Options,
  parts: Pick<ApprovalParts, "store" | "grants" | "execRules" | "audit" | "hasLocalChannels">,
  home: string,
  elsewhere: readonly ApprovalChannel[],
): Approvals =>
  createApprovals({
    ...parts,
    command: createApprovalCommand({
      program: options.cliCommand,
      stateDirectory: isUsualHome(home) ? undefined : home,
    }),
    channels: [
      ...(options.approver ? [{ name: options.approverChannel ?? "sdk", ask: options.approver }] : []),
      ...elsewhere,
    ],
    waitMs: options.approvalWaitMs ?? (options.approver ? undefined : options.dialect?.approvalWaitMs),
    warn: options.warn,
    onQuestion: options.onApprovalRequest,
  });
