import { type MessagePort, workerData } from "node:worker_threads";
import { transition, type JobRequest, type JobReport, STATE } from "./job.ts";
import { encodeResult } from "./job-result.ts";
import { runJob } from "./run-job.ts";

/** Receives jobs on the worker thread. It answers every job, also a cancelled one. */
const port = workerData as MessagePort;

port.on("message", ({ id, job, state }: JobRequest) => {
  const isCancelled = (): boolean => Atomics.load(state, 0) === STATE.cancelled;
  const text = transition(state, "queued", "running") ? encodeResult(runJob(job, isCancelled)) : "";
  port.postMessage({ id, text } satisfies JobReport);
  transition(state, "running", "done");
});
