import { createInterface } from "node:readline/promises";
import { type ApprovalAnswer, type ApprovalRequest, decisionsFor } from "../../runtime/approvals/approval.ts";
import type { Approver } from "../../runtime/approvals/approvals.ts";
import { approvalLines } from "./approval-text.ts";
import { currentUser } from "./current-user.ts";

/** Returns true if both standard input and standard error are a terminal. */
export const canAsk = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** Asks on the terminal. Repeats the prompt until it gets a valid answer. Returns undefined at the end of the input. */
export const askOnTerminal: Approver = async (request: ApprovalRequest, withdrawn: AbortSignal) => {
  const offered = WORDS.filter(({ decision }) => decisionsFor(request).includes(decision));
  // The terminal driver edits the line itself.
  const terminal = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  // Without this, the promise would never settle after Ctrl-D.
  const closed = new AbortController();
  terminal.once("close", () => closed.abort());
  const signal = AbortSignal.any([withdrawn, closed.signal]);
  try {
    process.stderr.write(`${approvalLines(request).join("\n")}\n`);
    for (;;) {
      const line = await terminal.question(`Allow it? ${offered.map(({ shown }) => shown).join(", ")}: `, { signal });
      const answer = answerIn(line.trim(), offered);
      if (answer) return { ...answer, who: currentUser() };
    }
  } catch {
    return undefined;
  } finally {
    terminal.close();
  }
};

/** Accepts any prefix of a word. Words after "no" are the reason: "n because …". */
function answerIn(line: string, offered: readonly (typeof WORDS)[number][]): ApprovalAnswer | undefined {
  const [typed = "", ...reason] = line.split(/\s+/);
  const names = (word: string): boolean => typed !== "" && word.startsWith(typed.toLowerCase());
  const decision = offered.find(({ words }) => words.some(names))?.decision;
  if (decision === undefined) return undefined;
  return { decision, ...(decision === "deny" && reason.length > 0 && { reason: reason.join(" ") }) };
}

const WORDS = [
  { words: ["once", "yes"], shown: "[o]nce", decision: "once" },
  { words: ["session"], shown: "[s]ession", decision: "session" },
  { words: ["always"], shown: "[a]lways", decision: "always" },
  { words: ["no"], shown: "[n]o", decision: "deny" },
] as const;
