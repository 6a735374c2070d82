// Takes one sample of a workload. Answers are checked afterwards: a pause between calls lets processors fall asleep, and
// waking them would be counted as latency.
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { callTool } from "./client.mjs";

const IN_FLIGHT = 64;
/** Bounds the time of a sample: a slow server gets fewer calls than a fast one. */
const WARM_UP_MS = 1000;
const SAMPLE_MS = 2000;

/** Returns the median latency of calls one after another, in milliseconds. */
export async function oneByOne(server, job) {
  const ask = asker(server, job);
  const early = await repeat(job.warmUp, WARM_UP_MS, ask);
  const answers = await repeat(job.repetitions, SAMPLE_MS, ask);
  [...early, ...answers].forEach(job.verify);
  return median(answers.map(({ sentAt, arrivedAt }) => arrivedAt - sentAt));
}

/** Returns the milliseconds per call while many calls are in flight. */
export async function inFlight(server, job) {
  await repeat(job.warmUp, WARM_UP_MS, asker(server, job));
  const startedAt = performance.now();
  const answers = await inParallel(job.repetitions, (index) => callTool(server, job.call(index)));
  const endedAt = Math.max(...answers.map(({ arrivedAt }) => arrivedAt));
  answers.forEach(job.verify);
  return (endedAt - startedAt) / answers.length;
}

/** Returns the milliseconds from spawning to the end of the first answer, on a new server. */
export async function fromSpawn(server, job) {
  const answer = await callTool(server, job.call(0));
  job.verify(answer, 0);
  return answer.arrivedAt - server.startedAt;
}

/** Returns a workload as one server runs it, in its own folder if there is something to prepare. */
export function jobOf({ operation, asks, isRight, prepare, warmUp, repetitions }, { operations }, corpus) {
  const given = prepare ? { ...corpus, folder: preparedFolder(corpus, prepare) } : corpus;
  return {
    warmUp,
    repetitions,
    call: (index, previous) => operations[operation](asks(given, index, previous)),
    verify(answer, index) {
      if (!answer.isError && isRight(answer, given, index)) return;
      throw new Error(`wrong: ${JSON.stringify(answer.texts.join(" ").slice(0, 150))}`);
    },
  };
}

function preparedFolder({ scratch }, prepare) {
  const folder = mkdtempSync(join(scratch, "sample-"));
  prepare(folder);
  return folder;
}

/** Returns the middle value, or the mean of the two in the middle. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Makes calls one after another. Each may use the answer before it. */
function asker(server, job) {
  let index = 0;
  let previous;
  return async () => {
    previous = await callTool(server, job.call(index++, previous));
    return previous;
  };
}

async function repeat(times, milliseconds, step) {
  const results = [];
  const end = performance.now() + milliseconds;
  while (results.length < times && (results.length === 0 || performance.now() < end)) results.push(await step());
  return results;
}

async function inParallel(times, step) {
  const results = [];
  let next = 0;
  const worker = async () => {
    while (next < times) {
      const index = next++;
      results[index] = await step(index);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  return results;
}
