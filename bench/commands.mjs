// Workloads that run commands, behind --commands: how they start, what their views cost, and what they hold in memory.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { callTool } from "./client.mjs";
import { bubblewrapWords, unshareWords } from "./command-words.mjs";
import { memoryOfJobs } from "./jobs-memory.mjs";
import { oneByOne } from "./measure.mjs";

/** Names the group of workloads and servers; both are used only with each other. */
export const COMMANDS_GROUP = "commands";

const CHANGES = 10;
const OUTPUT_BYTES = 1e9;
const YIELD_MS = 50_000;
const PAUSE_MS = 20;

/** Starts the same command over and over; each start takes some milliseconds. */
const STARTS = { measure: oneByOne, warmUp: 5, repetitions: 40, rounds: 9 };

const IN_BUBBLEWRAP = { operation: "boxed", needs: bubblewrapWords("/", ["true"]) };
const ON_VIEW = { operation: "viewed", needs: bubblewrapWords("/", ["true"]) };

const WORKLOADS = [
  {
    id: "exec",
    title: "exec true without a sandbox, beside unshare and bash (p50)",
    operation: "plain",
    needs: unshareWords(["true"]),
    asks: () => ({ command: "true" }),
    isRight: isDone,
    ...STARTS,
    bounds: [{ most: 1.3, server: "floor" }],
  },
  {
    id: "exec_bwrap",
    title: "exec true in bubblewrap, beside bubblewrap itself (p50)",
    ...IN_BUBBLEWRAP,
    asks: () => ({ command: "true" }),
    isRight: isDone,
    ...STARTS,
    bounds: [{ plus: 8, server: "floor" }],
  },
  {
    id: "exec_view",
    title: "exec on a view of 50,000 files, 10 changes applied (p50)",
    ...ON_VIEW,
    ...tenChanges(),
    ...STARTS,
    bounds: [{ plus: 15, own: "exec_bwrap" }],
  },
  {
    id: "first_exec",
    title: "the first command of a session, on a view",
    ...ON_VIEW,
    asks: () => ({ command: "true" }),
    isRight: isDone,
    measure: oneByOne,
    fresh: true,
    warmUp: 0,
    repetitions: 1,
    rounds: 9,
    sharesMemoryOf: "exec_view",
    bounds: [{ server: "floor" }],
  },
  {
    id: "apply",
    title: "list and apply 10 changes of a view",
    ...ON_VIEW,
    operation: "leftOnView",
    ...tenChanges(),
    measure: untilApplied,
    repetitions: 10,
    rounds: 5,
    sharesMemoryOf: "exec_view",
    bounds: [{ most: 1, milliseconds: 15 }],
  },
  {
    id: "apply_install",
    title: "list and apply a new directory of 100,000 files, beside counting them",
    operation: "installed",
    needs: bubblewrapWords("/", ["true"]),
    prepare: () => {},
    asks: ({ folder, grove }) => ({
      command: `cp -r ${grove} "$PWD/installed"`,
      workdir: folder,
      counted: grove,
    }),
    isRight: ({ data, texts }, { folder }) => (data ? isInstalled(folder) : texts[0] === "100000"),
    measure: untilApplied,
    repetitions: 1,
    rounds: 4,
    sharesMemoryOf: "exec_view",
    bounds: [{ plus: 50, server: "floor" }],
  },
  {
    id: "output",
    title: "a command that prints 1 GB",
    ...IN_BUBBLEWRAP,
    operation: "printed",
    asks: () => ({ command: `yes | head -c ${OUTPUT_BYTES}`, yieldMs: YIELD_MS }),
    isRight: (answer) => isDone(answer) && answer.data.truncated,
    measure: oneByOne,
    warmUp: 0,
    repetitions: 1,
    rounds: 1,
    bounds: [],
  },
  {
    id: "jobs",
    title: "100 jobs that wait, with their supervisors",
    operation: "jobs",
    rounds: 0,
    memory: memoryOfJobs,
    growth: 50,
    bounds: [],
  },
];

export const COMMANDS = WORKLOADS.map((workload) => ({ ...workload, group: COMMANDS_GROUP }));

/** Returns whether the machine can do what a workload needs, by trying it. */
export function isPossible({ needs: [program, ...words] = [] }) {
  return program === undefined || spawnSync(program, words, { stdio: "ignore" }).status === 0;
}

/** Removes what was installed: every later command would have to look through its directories. */
function isInstalled(folder) {
  const installed = join(folder, "installed");
  const isThere = readdirSync(installed).length > 0;
  rmSync(installed, { recursive: true });
  return isThere;
}

/** The floor answers with text only, and a call that applies changes has no exit code. */
function isDone({ data }) {
  return data === undefined || data.exit_code === 0 || data.applied === true;
}

let written = 0;

/** Writes ten files with shell builtins. Each time they get other contents, so that all of them change. */
function tenChanges() {
  const names = Array.from({ length: CHANGES }, (_, nth) => `file-${nth}.txt`);
  return {
    prepare: () => {},
    asks: ({ folder }) => ({
      command: `for name in ${names.join(" ")}; do echo ${++written} > "$name"; done`,
      workdir: folder,
    }),
    isRight: (answer) => isDone(answer) && (answer.data?.changes ?? names).length === CHANGES,
  };
}

/** Lets the command end in the background, and measures the call that lists and applies its changes. */
async function untilApplied(server, job) {
  const times = [];
  for (let index = 0; index < job.repetitions; index++) {
    const begun = await callTool(server, job.call(index));
    const answer = begun.data ? await applied(server, begun.data.process_id) : begun;
    job.verify(answer, index);
    times.push(answer.arrivedAt - answer.sentAt);
  }
  return Math.min(...times);
}

async function applied(server, id) {
  while (await isRunning(server, id)) await sleep(PAUSE_MS);
  return callTool(server, ["process", { action: "apply", process_id: id }]);
}

/** Asks for the list: asking about the job itself would apply its changes. */
async function isRunning(server, id) {
  const { data } = await callTool(server, ["process", { action: "list" }]);
  return data.processes.some((each) => each.process_id === id && each.status === "running");
}
