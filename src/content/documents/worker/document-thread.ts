import { getAsset, isSea } from "node:sea";
import { Worker } from "node:worker_threads";
import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { type Checkpoint, watchCancellation } from "../../../base/time-slicing.ts";
import { LESS, memoryFault } from "./memory-fault.ts";
import type { WorkerAnswer, WorkerRequest } from "./message.ts";

/** A thread that answers one request at a time. It is ended when it takes too long, or too much memory. */
export interface DocumentThread {
  ask(message: WorkerRequest, checkpoint: Checkpoint): Promise<WorkerAnswer>;
  isAlive(): boolean;
  end(): void;
}

export function startThread(): DocumentThread {
  const thread = new Worker(isSea() ? getAsset(SCRIPT_NAME, "utf8") : SCRIPT, {
    eval: isSea(),
    resourceLimits: { maxOldGenerationSizeMb: LIMITS.documentHeapMb },
    // Nothing of this process belongs to a parser of foreign files.
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  thread.unref();
  let isAlive = true;
  const end = (): void => {
    isAlive = false;
    void thread.terminate();
  };
  thread.on("error", end);
  thread.on("exit", () => (isAlive = false));
  return {
    isAlive: () => isAlive,
    end,
    async ask(message, checkpoint) {
      const { promise, resolve, reject } = deferred<WorkerAnswer>();
      const fail = (fault: Fault) => (): void => {
        end();
        reject(fault);
      };
      const onError = (error: Error): void => reject(crashFault(error));
      const onExit = (): void => reject(crashFault());
      thread.once("message", resolve).once("error", onError).once("exit", onExit);
      const timer = setTimeout(fail(timeoutFault()), LIMITS.documentMs);
      const watch = watchCancellation(checkpoint, fail(cancelled()));
      thread.ref();
      try {
        thread.postMessage(message, message.bytes ? [message.bytes.buffer as ArrayBuffer] : []);
        return await promise;
      } finally {
        clearTimeout(timer);
        watch.stop();
        thread.unref();
        thread.off("message", resolve).off("error", onError).off("exit", onExit);
      }
    },
  };
}

const cancelled = (): Fault => new Fault("cancelled", "Cannot finish the call: it was cancelled");

const timeoutFault = (): Fault =>
  new Fault("too_large", `Cannot read the document: it takes longer than ${LIMITS.documentMs / 1000} s`, {
    hint: LESS,
  });

const crashFault = (error?: Error): Fault =>
  error !== undefined && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"
    ? memoryFault()
    : new Fault("not_text", "Cannot read the document: its reader failed", { hint: LESS }, error);

function deferred<T>() {
  const made: { resolve?: (value: T) => void; reject?: (error: unknown) => void } = {};
  const promise = new Promise<T>((resolve, reject) => Object.assign(made, { resolve, reject }));
  return {
    promise,
    resolve: (value: T): void => made.resolve?.(value),
    reject: (error: unknown): void => made.reject?.(error),
  };
}

const SCRIPT_NAME = "document-worker.cjs";

/**
 * The script that the build wrote; it is as far from the program as from the library. A single executable has it in
 * itself.
 */
const SCRIPT = new URL(
  `${import.meta.url.endsWith(".ts") ? "../../../../dist" : "../../.."}/${SCRIPT_NAME}`,
  import.meta.url,
);
