import { createInterface } from "node:readline/promises";
import type { ApprovalAnswer, ApprovalRequest } from "../../runtime/approvals/approval.ts";
import type { Approver } from "../../runtime/approvals/approvals.ts";
import { approvalLines } from "./approval-text.ts";
import { currentUser } from "./current-user.ts";

/** Whether a person sits at both ends of this terminal. */
export const canAsk = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/**
 * Shows the question on the terminal and waits for a word. Anything but a clear word asks again; nothing at all is no
 * answer.
 */
export const askOnTerminal: Approver = async (request: ApprovalRequest, withdrawn: AbortSignal) => {
  // The terminal itself knows how to edit a line.
  const terminal = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  // Without this, a question that Ctrl-D ends would be open for ever.
  const closed = new AbortController();
  terminal.once("close", () => closed.abort());
  const signal = AbortSignal.any([withdrawn, closed.signal]);
  try {
    process.stderr.write(`${approvalLines(request).join("\n")}\n`);
    for (;;) {
      const said = await terminal.question("Allow it? [o]nce, [s]ession, [a]lways, [n]o: ", { signal });
      const answer = answerIn(said.trim());
      if (answer) return { ...answer, who: currentUser() };
    }
  } catch {
    return undefined;
  } finally {
    terminal.close();
  }
};

/** "n because …" gives the reason, too. */
function answerIn(said: string): ApprovalAnswer | undefined {
  const [word = "", ...reason] = said.split(/\s+/);
  const decision = DECISIONS.find((each) => word !== "" && each.said.startsWith(word.toLowerCase()))?.decision;
  if (decision === undefined) return undefined;
  return { decision, ...(decision === "deny" && reason.length > 0 && { reason: reason.join(" ") }) };
}

const DECISIONS = [
  { said: "once", decision: "once" },
  { said: "yes", decision: "once" },
  { said: "session", decision: "session" },
  { said: "always", decision: "always" },
  { said: "no", decision: "deny" },
] as const;
