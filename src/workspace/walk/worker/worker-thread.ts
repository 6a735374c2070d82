import { type MessagePort, workerData } from "node:worker_threads";
import { movesOn, type JobRequest, type JobReport, STATE } from "./job.ts";
import { encodeResult } from "./job-result.ts";
import { readAhead } from "./job-state.ts";

/** What the second thread runs: every errand is answered, also those that were called off. */
const port = workerData as MessagePort;

port.on("message", ({ id, errand, state }: JobRequest) => {
  const isOff = (): boolean => Atomics.load(state, 0) === STATE.off;
  const text = movesOn(state, "asked", "begun") ? encodeResult(readAhead(errand, isOff)) : "";
  port.postMessage({ id, text } satisfies JobReport);
  movesOn(state, "begun", "back");
});
