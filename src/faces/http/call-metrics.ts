import type { Reply, Surface } from "../../runtime/pipeline/surface.ts";

/** Counts calls by tool and outcome, and sorts their times into a histogram. */
export interface CallMetrics {
  /** Wraps the function that makes calls. */
  measured(call: Surface["call"]): Surface["call"];
  counts(): ReadonlyMap<string, CallCount>;
  times(): TimeHistogram;
}

export interface CallCount {
  readonly tool: string;
  /** Is "ok", or the code of the fault. */
  readonly code: string;
  readonly count: number;
}

export interface TimeHistogram {
  /** Counts, for each bound of `TIME_BOUNDS`, the calls that took at most so long. */
  readonly atMost: readonly number[];
  readonly seconds: number;
  readonly count: number;
}

/** Lists the bounds of the histogram in seconds. */
export const TIME_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60];

export function createCallMetrics(now: () => number = () => performance.now()): CallMetrics {
  const counts = new Map<string, CallCount>();
  const atMost = TIME_BOUNDS.map(() => 0);
  const total = { seconds: 0, count: 0 };
  const record = (tool: string, { code }: Reply, seconds: number): void => {
    // Clients invent names: those of tools that do not exist share one.
    const name = code === "unknown_tool" ? "unknown" : tool;
    const key = `${name} ${code}`;
    counts.set(key, { tool: name, code, count: (counts.get(key)?.count ?? 0) + 1 });
    TIME_BOUNDS.forEach((bound, nth) => (atMost[nth] = (atMost[nth] ?? 0) + (seconds <= bound ? 1 : 0)));
    total.seconds += seconds;
    total.count++;
  };
  return {
    measured: (call) => async (request) => {
      const start = now();
      const reply = await call(request);
      record(request.tool, reply, (now() - start) / 1000);
      return reply;
    },
    counts: () => counts,
    times: () => ({ atMost, ...total }),
  };
}
