import { createInterface } from "node:readline/promises";
import type { ApprovalAnswer, ApprovalRequest } from "../../runtime/approvals/approval.ts";
import type { Approver } from "../../runtime/approvals/approvals.ts";
import { approvalLines } from "./approval-text.ts";
import { currentUser } from "./current-user.ts";

/** Returns true if both standard input and standard error are a terminal. */
export const canAsk = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** Asks on the terminal. Repeats the prompt until it gets a valid answer. Returns undefined at the end of the input. */
export const askOnTerminal: Approver = async (request: ApprovalRequest, withdrawn: AbortSignal) => {
  // The terminal driver edits the line itself.
  const terminal = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  // Without this, the promise would never settle after Ctrl-D.
  const closed = new AbortController();
  terminal.once("close", () => closed.abort());
  const signal = AbortSignal.any([withdrawn, closed.signal]);
  try {
    process.stderr.write(`${approvalLines(request).join("\n")}\n`);
    for (;;) {
      const line = await terminal.question("Allow it? [o]nce, [s]ession, [a]lways, [n]o: ", { signal });
      const answer = answerIn(line.trim());
      if (answer) return { ...answer, who: currentUser() };
    }
  } catch {
    return undefined;
  } finally {
    terminal.close();
  }
};

/** Accepts any prefix of a word. Words after "no" are the reason: "n because …". */
function answerIn(line: string): ApprovalAnswer | undefined {
  const [typed = "", ...reason] = line.split(/\s+/);
  const decision = DECISIONS.find((each) => typed !== "" && each.word.startsWith(typed.toLowerCase()))?.decision;
  if (decision === undefined) return undefined;
  return { decision, ...(decision === "deny" && reason.length > 0 && { reason: reason.join(" ") }) };
}

const DECISIONS = [
  { word: "once", decision: "once" },
  { word: "yes", decision: "once" },
  { word: "session", decision: "session" },
  { word: "always", decision: "always" },
  { word: "no", decision: "deny" },
] as const;
