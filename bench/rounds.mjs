// Runs servers in turn; each round starts with another one, so that noise and drift affect all alike.
import { shakeHands, startServer } from "./client.mjs";
import { jobOf } from "./measure.mjs";

const PATIENCE_MS = 60_000;

/** Returns samples by round and server, and why a server gave none. A server that fails is not used again. */
export async function measureInTurn(workload, servers, bench) {
  const able = servers.filter((server) => canRun(server, workload));
  const rounds = [];
  const failures = new Map();
  for (let round = 0; round < workload.rounds; round++) {
    const samples = new Map();
    for (const definition of rotated(able, round)) {
      if (failures.has(definition.id)) continue;
      try {
        samples.set(definition.id, await pairedSample(workload, definition, bench));
      } catch (error) {
        failures.set(definition.id, error instanceof Error ? error.message : String(error));
      }
    }
    rounds.push(samples);
  }
  return { workload, rounds, failures };
}

/** Returns whether a server offers the operation. Servers of a group run only the workloads of that group. */
export const canRun = (server, { operation, group }) =>
  server.group === group && server.operations[operation] !== undefined;

/** Spawns a server, initializes it and lists its tools. */
export async function openServer(definition) {
  const server = startServer(definition);
  return { ...server, tools: await withPatience(server, () => shakeHands(server)) };
}

/** Takes one figure of a workload on an open server; ends a server that exceeds the time limit. */
export const sampleOn = (server, workload, definition, corpus) =>
  withPatience(server, () => workload.measure(server, jobOf(workload, definition, corpus)));

/** Keeps one open server of each definition, and reopens those that died. */
export function keepServers() {
  const kept = new Map();
  return {
    async get(definition) {
      if (!kept.get(definition)?.isAlive()) kept.set(definition, await openServer(definition));
      return kept.get(definition);
    },
    stopAll: () => Promise.all([...kept.values()].map((server) => server.stop())),
  };
}

/** Takes a sample together with its reference, if that is another workload on the same server. */
async function pairedSample(workload, definition, { corpus, kept, workloads }) {
  if (workload.fresh) return { value: await freshSample(workload, definition, corpus) };
  const server = await kept.get(definition);
  const own = workloads.find(({ id }) => workload.bounds.some((bound) => bound.own === id));
  return {
    own: own && (await sampleOn(server, own, definition, corpus)),
    value: await sampleOn(server, workload, definition, corpus),
  };
}

async function freshSample(workload, definition, corpus) {
  const server = await openServer(definition);
  try {
    return await sampleOn(server, workload, definition, corpus);
  } finally {
    await server.stop();
  }
}

async function withPatience(server, wait) {
  const timer = setTimeout(() => server.fail(`no answer within ${PATIENCE_MS / 1000} s`), PATIENCE_MS);
  try {
    return await wait();
  } finally {
    clearTimeout(timer);
  }
}

function rotated(list, by) {
  const start = by % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}
