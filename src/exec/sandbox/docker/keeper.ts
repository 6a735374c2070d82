import type { Duplex } from "node:stream";
import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { withTimeout } from "../../../base/timeout.ts";
import { piecesOf } from "./frames.ts";
import { type Mount, parseMountInfo } from "./mount-info.ts";

/**
 * The shell that is process 1 of a container. It sends signals for us, and says what is mounted, by built-in commands
 * only, which work where no further process may start. When we die, its input ends, and with it the container. No
 * command can signal or trace it unless both are root. The empty subshell makes a simple shell reap what was killed.
 */
export const KEEPER_SCRIPT = `
answer() { echo .; }
mounts() { while read -r line; do printf "%s\\n" "$line"; done </proc/self/mountinfo; answer; }
mounts
while read -r request target; do
  if [ "$request" = mounts ]; then mounts; continue; fi
  kill -s "$request" -- "$target" 2>/dev/null
  answer
  (:)
done`;

export interface Keeper {
  /** Returns what is mounted when the container has started. */
  readonly firstMounts: Promise<readonly Mount[]>;
  mounts(): Promise<readonly Mount[]>;
  /** Signals a process of the container, or with "all" every one but the keeper, including all that just start. */
  kill(signal: string, target: number | "all"): Promise<void>;
  isAlive(): boolean;
  /** Ends the container. */
  close(): void;
}

/** Talks to process 1 of a container, to which the stream is attached: one request at a time, in order. */
export function connectKeeper(stream: Duplex): Keeper {
  const waiting: PendingAnswer[] = [];
  let isAlive = true;
  const answered = (): Promise<string> =>
    withTimeout(
      LIMITS.engineMs,
      () => new Promise((resolve, reject) => void waiting.push({ resolve, reject })),
      () => new Fault("timeout", "Cannot use the container: it does not answer"),
    );
  const ask = (request: string): Promise<string> => {
    if (!isAlive) return Promise.reject(endedFault());
    const answer = answered();
    stream.write(`${request}\n`);
    return answer;
  };
  const firstMounts = answered().then(parseMountInfo);
  const end = (): void => {
    isAlive = false;
    for (const { reject } of waiting.splice(0)) reject(endedFault());
  };
  stream.on("error", end);
  void readAnswers(stream, (text) => waiting.shift()?.resolve(text)).then(end, end);
  return {
    firstMounts,
    mounts: async () => parseMountInfo(await ask("mounts")),
    async kill(signal, target) {
      await ask(`${signal.replace(/^SIG/, "")} ${target === "all" ? -1 : target}`);
    },
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
