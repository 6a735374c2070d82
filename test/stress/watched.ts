import { expect } from "vitest";
import type { WatchEvent } from "../../src/workspace/watch/event-queue.ts";
import { type Caller, callerOn, scratch } from "../runtime/scratch.ts";

/** Waited for what is certain to come; and how long it must then be quiet. */
export const LONG_MS = 50_000;
const QUIET_MS = 300;

/**
 * Events, as "type path" or "rename from path", until there are enough of them and nothing more happens for a while.
 * A busy machine takes its time to tell: only after what has to come does silence mean anything.
 */
export async function heard(call: Caller, isEnough: (lines: readonly string[]) => boolean): Promise<readonly string[]> {
  const lines: string[] = [];
  for (;;) {
    const wait_ms = isEnough(lines) ? QUIET_MS : LONG_MS;
    const { data } = await call("watch", { watch_id: "w1", wait_ms }, { repeats: true });
    const events = data["events"] as readonly WatchEvent[];
    if (data["overflow"]) lines.push("overflow");
    if (events.length === 0 && !data["overflow"]) return lines;
    lines.push(...events.map(({ type, from, path }) => [type, from, path].filter(Boolean).join(" ")));
  }
}

/** Waits until there are at least so many events, and returns them. */
export const news = (call: Caller, count: number): Promise<readonly string[]> =>
  heard(call, ({ length }) => length >= count);

/** A workspace that is watched as a whole. */
export async function watched(
  tree: Parameters<typeof scratch>[0],
  path = ".",
): Promise<{ root: string; call: Caller }> {
  const root = scratch(tree);
  const call = callerOn(root);
  expect((await call("watch", { path })).code).toBe("ok");
  return { root, call };
}
