import { LIMITS } from "../../base/limits.ts";
import type { Id } from "../json-rpc.ts";

/** Queues the calls of one client: at most `LIMITS.parallelCalls` run at a time. */
export interface CallQueue<Call> {
  add(call: Call): void;
  /** Cancels a running call, or removes a waiting one. Returns false for calls that are not in the queue. */
  cancel(id: Id): boolean;
  /** Cancels all calls: nobody waits for an answer any more. */
  close(): void;
}

/** Counts a call as running until its answer is sent, so that a client that does not read starts no more calls. */
export function createCallQueue<Call extends { readonly id: Id }>(
  answer: (call: Call, signal: { readonly aborted: boolean }) => Promise<void>,
): CallQueue<Call> {
  const running = new Map<Id, { aborted: boolean }>();
  const waiting: Call[] = [];
  const run = async (call: Call): Promise<void> => {
    const signal = { aborted: false };
    running.set(call.id, signal);
    await answer(call, signal);
    running.delete(call.id);
    const next = waiting.shift();
    if (next) void run(next);
  };
  return {
    add(call) {
      if (running.size < LIMITS.parallelCalls) void run(call);
      else waiting.push(call);
    },
    cancel(id) {
      const position = waiting.findIndex((each) => each.id === id);
      if (position >= 0) waiting.splice(position, 1);
      const signal = running.get(id);
      if (signal) signal.aborted = true;
      return position >= 0 || signal !== undefined;
    },
    close() {
      waiting.length = 0;
      for (const signal of running.values()) signal.aborted = true;
    },
  };
}
