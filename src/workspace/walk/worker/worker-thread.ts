import { type MessagePort, workerData } from "node:worker_threads";
import { movesOn, type Order, type Report, STATE } from "./job.ts";
import { told } from "./job-result.ts";
import { scout } from "./job-state.ts";

/** What the second thread runs: every errand is answered, also those that were called off. */
const port = workerData as MessagePort;

port.on("message", ({ id, errand, state }: Order) => {
  const isOff = (): boolean => Atomics.load(state, 0) === STATE.off;
  const text = movesOn(state, "asked", "begun") ? told(scout(errand, isOff)) : "";
  port.postMessage({ id, text } satisfies Report);
  movesOn(state, "begun", "back");
});
