import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import { once } from "node:events";
import { LIMITS } from "../../../base/limits.ts";
import { watchCancellation } from "../../../base/time-slicing.ts";
import { renewYoungHeap } from "../../../base/young-heap.ts";
import { type Channel, movesOn, type JobRequest, type JobReport, type PendingJob, STATE } from "./job.ts";
import { decodeResult } from "./job-result.ts";
import type { Job } from "./job-state.ts";

/** It keeps nothing from ending: neither the process, nor itself when nobody has sent it for a while. */
export async function openChannel(ended: (isIdle: boolean) => void, program = BUILT): Promise<Channel> {
  const { port1, port2 } = new MessageChannel();
  const desk = createChannel(port1);
  const resourceLimits = { maxYoungGenerationSizeMb: LIMITS.scoutYoungMb, maxOldGenerationSizeMb: LIMITS.scoutOldMb };
  const file = new URL(program, import.meta.url);
  const worker = new Worker(file, { workerData: port2, transferList: [port2], resourceLimits, execArgv: [] });
  const over = (isIdle: boolean): void => {
    if (!desk.close()) return;
    clearInterval(rest);
    ended(isIdle);
  };
  const rest = setInterval(() => {
    if (!desk.isIdle()) return;
    over(true);
    void worker.terminate();
  }, LIMITS.scoutIdleMs).unref();
  worker.on("error", () => over(false)).on("exit", () => over(false));
  worker.unref();
  await once(worker, "online");
  renewYoungHeap();
  return desk;
}

/** Above the folder that this is in, of the library and of the bundle alike. */
const BUILT = "../scout.cjs";

function createChannel(port: MessagePort): Channel {
  const underWay = new Map<number, (text: string) => void>();
  let [sent, sentBefore] = [0, 0];
  let isOpen = true;
  const settle = ({ id, text }: JobReport): void => {
    const told = underWay.get(id);
    underWay.delete(id);
    told?.(text);
  };
  const collect = (): void => {
    for (let got = receiveMessageOnPort(port); got; got = receiveMessageOnPort(port)) settle(got.message as JobReport);
  };
  port.on("message", settle).unref();
  return {
    send(errand, back) {
      const id = ++sent;
      const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
      const reported = createPendingJob(errand, state, collect, back);
      underWay.set(id, reported.report);
      port.postMessage({ id, errand, state } satisfies JobRequest);
      return reported;
    },
    isOpen: () => isOpen,
    isIdle() {
      const isIdle = underWay.size === 0 && sent === sentBefore;
      sentBefore = sent;
      return isIdle;
    },
    close() {
      if (!isOpen) return false;
      isOpen = false;
      port.close();
      for (const id of underWay.keys()) settle({ id, text: "" });
      return true;
    },
  };
}

interface Reported extends PendingJob {
  report(text: string): void;
}

/** What was read stays one text until the walk comes there: the rest is needed for a moment only. */
function createPendingJob(errand: Job, state: Int32Array, collect: () => void, back: () => void): Reported {
  let text: string | undefined;
  let tell: (() => void) | undefined;
  return {
    errand,
    isBack() {
      if (text === undefined && state[0] === STATE.back) collect();
      return text !== undefined;
    },
    takeBack: () => movesOn(state, "asked", "off"),
    callOff: () => void (movesOn(state, "asked", "off") || movesOn(state, "begun", "off")),
    async wait(checkpoint) {
      const told = new Promise<void>((resolve) => void (tell = resolve));
      const cancellation = watchCancellation(checkpoint, () => tell?.());
      await told;
      cancellation.stop();
      await cancellation.check();
    },
    found: () => decodeResult(text ?? ""),
    report(read) {
      text = read;
      back();
      tell?.();
    },
  };
}
