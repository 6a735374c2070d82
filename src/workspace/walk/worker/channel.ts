import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import { once } from "node:events";
import { LIMITS } from "../../../base/limits.ts";
import { watchCancellation } from "../../../base/time-slicing.ts";
import { reapplyYoungHeapLimit } from "../../../base/young-heap.ts";
import { type Channel, transition, type JobRequest, type JobReport, type PendingJob, STATE } from "./job.ts";
import { decodeResult } from "./job-result.ts";
import type { Job } from "./run-job.ts";

/** Starts the worker thread. It does not keep the process alive, and is terminated when it was idle for a while. */
export async function openChannel(ended: (isIdle: boolean) => void, program = WORKER_FILE): Promise<Channel> {
  const { port1, port2 } = new MessageChannel();
  const channel = createChannel(port1);
  const resourceLimits = {
    maxYoungGenerationSizeMb: LIMITS.readAheadYoungMb,
    maxOldGenerationSizeMb: LIMITS.readAheadOldMb,
  };
  const file = new URL(program, import.meta.url);
  const worker = new Worker(file, { workerData: port2, transferList: [port2], resourceLimits, execArgv: [] });
  const onEnd = (isIdle: boolean): void => {
    if (!channel.close()) return;
    clearInterval(idleTimer);
    ended(isIdle);
  };
  const idleTimer = setInterval(() => {
    if (!channel.isIdle()) return;
    onEnd(true);
    void worker.terminate();
  }, LIMITS.readAheadIdleMs).unref();
  worker.on("error", () => onEnd(false)).on("exit", () => onEnd(false));
  worker.unref();
  await once(worker, "online");
  reapplyYoungHeapLimit();
  return channel;
}

/** One folder above this file, in the library as in the bundle. */
const WORKER_FILE = "../read-ahead-worker.cjs";

function createChannel(port: MessagePort): Channel {
  const pending = new Map<number, (text: string) => void>();
  let [sent, sentBefore] = [0, 0];
  let isOpen = true;
  const deliver = ({ id, text }: JobReport): void => {
    const done = pending.get(id);
    pending.delete(id);
    done?.(text);
  };
  const collect = (): void => {
    for (let got = receiveMessageOnPort(port); got; got = receiveMessageOnPort(port)) deliver(got.message as JobReport);
  };
  port.on("message", deliver).unref();
  return {
    send(job, onDone) {
      const id = ++sent;
      const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
      const reported = createPendingJob(job, state, collect, onDone);
      pending.set(id, reported.report);
      port.postMessage({ id, job, state } satisfies JobRequest);
      return reported;
    },
    isOpen: () => isOpen,
    isIdle() {
      const isIdle = pending.size === 0 && sent === sentBefore;
      sentBefore = sent;
      return isIdle;
    },
    close() {
      if (!isOpen) return false;
      isOpen = false;
      port.close();
      for (const id of pending.keys()) deliver({ id, text: "" });
      return true;
    },
  };
}

interface ReportableJob extends PendingJob {
  report(text: string): void;
}

/** Keeps the result encoded as one string until the walk needs it, which takes less memory. */
function createPendingJob(job: Job, state: Int32Array, collect: () => void, onDone: () => void): ReportableJob {
  let text: string | undefined;
  let wakeWaiter: (() => void) | undefined;
  return {
    job,
    isDone() {
      if (text === undefined && state[0] === STATE.done) collect();
      return text !== undefined;
    },
    withdraw: () => transition(state, "queued", "cancelled"),
    cancel: () => void (transition(state, "queued", "cancelled") || transition(state, "running", "cancelled")),
    async wait(checkpoint) {
      const done = new Promise<void>((resolve) => void (wakeWaiter = resolve));
      const cancellation = watchCancellation(checkpoint, () => wakeWaiter?.());
      await done;
      cancellation.stop();
      await cancellation.check();
    },
    results: () => decodeResult(text ?? ""),
    report(read) {
      text = read;
      onDone();
      wakeWaiter?.();
    },
  };
}
