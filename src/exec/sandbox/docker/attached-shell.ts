import type { Duplex } from "node:stream";
import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { withTimeout } from "../../../base/timeout.ts";
import { piecesOf } from "./frames.ts";
import { ref, unref } from "./socket-refs.ts";

/** Functions for the scripts of such shells. They use built-in commands only, which work where no process may start. */
export const SHELL_ANSWERS = `
answer() { echo .; }
mounts() { while read -r line; do printf "%s\\n" "$line"; done </proc/self/mountinfo; answer; }`;

/** A shell of ours in a container that answers requests, one line each. Its input ends with this process. */
export interface AttachedShell {
  /** Sends a request and returns the answer. */
  ask(request: string): Promise<string>;
  /** Waits for an answer that was not asked for. */
  answered(): Promise<string>;
  isAlive(): boolean;
  close(): void;
}

/**
 * Talks to a shell in a container, to which the stream is attached: one request at a time, in order. This process may
 * end while nothing is asked.
 */
export function connectShell(stream: Duplex): AttachedShell {
  const waiting: PendingAnswer[] = [];
  let isAlive = true;
  const answered = (): Promise<string> =>
    withTimeout<string>(
      LIMITS.engineMs,
      () =>
        new Promise((resolve, reject) => {
          ref(stream);
          waiting.push({ resolve, reject });
        }),
      () => new Fault("timeout", "Cannot use the container: it does not answer"),
    ).catch((error: unknown) => {
      // A shell that does not answer is of no further use.
      end();
      throw error;
    });
  const end = (): void => {
    isAlive = false;
    for (const { reject } of waiting.splice(0)) reject(endedFault());
    unref(stream);
  };
  stream.on("error", end);
  const take = (text: string): void => {
    waiting.shift()?.resolve(text);
    if (waiting.length === 0) unref(stream);
  };
  void readAnswers(stream, take).then(end, end);
  unref(stream);
  return {
    ask(request) {
      if (!isAlive) return Promise.reject(endedFault());
      const answer = answered();
      stream.write(`${request}\n`);
      return answer;
    },
    answered,
    isAlive: () => isAlive,
    close() {
      end();
      stream.destroy();
    },
  };
}

interface PendingAnswer {
  readonly resolve: (text: string) => void;
  readonly reject: (error: Fault) => void;
}

/** Reads answers, each of which ends in a line with a dot. */
async function readAnswers(stream: Duplex, take: (text: string) => void): Promise<void> {
  let text = "";
  for await (const { bytes } of piecesOf(stream)) {
    text += bytes.toString("latin1");
    for (let end = endOfAnswer(text); end >= 0; end = endOfAnswer(text)) {
      // Only a whole answer is surely whole characters.
      take(Buffer.from(text.slice(0, end), "latin1").toString());
      text = text.slice(end + END.length);
    }
  }
}

const END = ".\n";

const endOfAnswer = (text: string): number => (text.startsWith(END) ? 0 : text.indexOf(`\n${END}`) + 1 || -1);

const endedFault = (): Fault => new Fault("io", "Cannot use the container: it has ended");
