// Keeps processors from falling asleep between a request and its reply. Waking one can cost more than a whole call
// of the floor, above all in a virtual machine, and would hide what a server adds.
import { spawn, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";

const SET_CLASS = "chrt";
const IDLE_CLASS = ["--idle", "0"];

/** Spins, and ends when its parent is gone. */
const SPIN = "const parent = process.ppid; while (process.ppid === parent) for (let i = 0; i < 1e6; i++);";

/** Spins on every processor with the lowest priority. Does nothing where that is not possible. */
export function keepAwake() {
  const isAwake = spawnSync(SET_CLASS, [...IDLE_CLASS, "true"]).status === 0;
  const spinners = Array.from({ length: isAwake ? availableParallelism() : 0 }, () =>
    spawn(SET_CLASS, [...IDLE_CLASS, process.execPath, "--eval", SPIN], { stdio: "ignore" }),
  );
  return { isAwake, stop: () => spinners.forEach((spinner) => spinner.kill()) };
}
