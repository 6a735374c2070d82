import { LIMITS } from "../base/limits.ts";
import { type Act, ACTS } from "../base/verdicts.ts";
import type { State } from "../storage/state.ts";
import type { Grant } from "./rules.ts";

/** What was allowed for longer than once: for this session in memory, "always" in our state directory. */
export interface Grants {
  /** The same value until something changes. What other processes store is seen about a second later. */
  current(): readonly Grant[];
  add(grant: Grant, until: "session" | "always"): Promise<void>;
}

export function createGrants(state: State, nowMs: () => number = Date.now): Grants {
  let ofSession: readonly Grant[] = [];
  let stored: readonly Grant[] = [];
  let both: readonly Grant[] = [];
  const join = (): void => void (both = [...ofSession, ...stored]);
  let seenMs = 0;
  let nextMs = 0;
  const look = (): void => {
    const changedMs = state.changedMs(FILE);
    nextMs = nowMs() + LIMITS.configLookMs;
    if (changedMs === seenMs) return;
    seenMs = changedMs;
    stored = storedIn(state);
    join();
  };
  return {
    current() {
      if (nowMs() >= nextMs) look();
      return both;
    },
    async add(grant, until) {
      if (until === "session") {
        ofSession = [...ofSession, grant];
        return join();
      }
      const lasting = { ...grant, expiresMs: nowMs() + LIMITS.grantMs };
      await state.locked(() => {
        const fresh = storedIn(state).filter(({ expiresMs = 0 }) => expiresMs > nowMs());
        state.write(FILE, JSON.stringify([...fresh, lasting]));
      });
      look();
    },
  };
}

const FILE = "grants.json";

/** A file that cannot be understood grants nothing. */
function storedIn(state: State): readonly Grant[] {
  try {
    const grants = JSON.parse(state.read(FILE) ?? "[]") as unknown;
    return Array.isArray(grants) ? grants.filter(isGrant) : [];
  } catch {
    return [];
  }
}

const isGrant = (value: unknown): value is Grant => {
  const { act, path, expiresMs } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const isPath = Array.isArray(path) && path.every((each) => typeof each === "string");
  return ACTS.some((each) => each === act) && isPath && typeof expiresMs === "number";
};

/** The same acts at the same places, and in them. */
export const grantFor = (
  wants: readonly { readonly act: Act; readonly place: string }[],
  by: string,
): readonly Grant[] =>
  wants.flatMap(({ act, place }) => {
    const exactly = place.replaceAll(/[*?[\]{}\\!]/g, "\\$&");
    if (exactly.length + 3 > LIMITS.patternChars) return [];
    return { act, path: [exactly, `${exactly}/**`], reason: `allowed by ${by} before`, origin: "approval" };
  });
