import { createInterface } from "node:readline/promises";
import { CLIENTS } from "./clients.ts";

/** Asks on the terminal. */
export interface Questions {
  /** Returns the clients that are chosen by number or name; none for "q" or at the end of the input. */
  chooseClients(found: readonly string[]): Promise<readonly string[]>;
  chooseDirectory(current: string): Promise<string>;
  confirm(question: string): Promise<boolean>;
  close(): void;
}

export function createQuestions(): Questions {
  // The terminal driver edits the line itself.
  const terminal = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  const closed = new AbortController();
  terminal.once("close", () => closed.abort());
  const ask = async (question: string): Promise<string | undefined> => {
    try {
      return (await terminal.question(question, { signal: closed.signal })).trim();
    } catch {
      // The input has ended.
      return undefined;
    }
  };
  return {
    async chooseClients(found) {
      for (;;) {
        const line = await ask("Install into which? Numbers or names, Enter for all, q to quit: ");
        const chosen = line === undefined ? [] : clientsIn(line, found);
        if (chosen) return chosen;
      }
    },
    chooseDirectory: async (current) => (await ask(`Directory for the agent [${current}]: `)) || current,
    confirm: async (question) => /^y(?:es)?$/i.test((await ask(`${question} [y/N] `)) ?? ""),
    close: () => terminal.close(),
  };
}

/** Returns the clients that a line names, or undefined if one of its words is neither a number nor a name. */
function clientsIn(line: string, found: readonly string[]): readonly string[] | undefined {
  if (line === "") return found;
  if (/^q(?:uit)?$/i.test(line)) return [];
  const chosen = line.split(/[\s,]+/).map((word) => found[Number(word) - 1] ?? word);
  return chosen.every((name) => Object.hasOwn(CLIENTS, name)) ? chosen : undefined;
}
