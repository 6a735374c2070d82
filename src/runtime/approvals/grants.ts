import { randomBytes } from "node:crypto";
import { LIMITS } from "../../base/limits.ts";
import { ACTS } from "../../base/verdicts.ts";
import type { State } from "../../storage/state.ts";
import type { TreePermissionRequest } from "../pipeline/permission-requests.ts";
import type { Grant } from "../rules/rules.ts";

/** What was allowed for longer than once: for this session in memory, "always" in our state directory. */
export interface Grants {
  /** The same value until something changes. What other processes store is seen about a second later. */
  current(): readonly Grant[];
  add(grant: Grant, until: "session" | "always"): Promise<void>;
  /** What holds for longer than a session. */
  listStored(): readonly StoredGrant[];
  /** Takes one of those back; false when there is none of this name. */
  revoke(id: string): Promise<boolean>;
}

export interface StoredGrant extends Grant {
  readonly id: string;
  readonly expiresMs: number;
}

export function createGrants(state: State, nowMs: () => number = Date.now): Grants {
  let ofSession: readonly Grant[] = [];
  let stored: readonly StoredGrant[] = [];
  let both: readonly Grant[] = [];
  const join = (): void => void (both = [...ofSession, ...stored]);
  let seenMs = 0;
  let nextMs = 0;
  const holding = (): readonly StoredGrant[] => readStoredGrants(state).filter(({ expiresMs }) => expiresMs > nowMs());
  const look = (): void => {
    const changedMs = modifiedMsOf(state);
    nextMs = nowMs() + LIMITS.configPollMs;
    if (changedMs === seenMs) return;
    seenMs = changedMs;
    stored = readStoredGrants(state);
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
      const lasting = { ...grant, id: randomBytes(4).toString("hex"), expiresMs: nowMs() + LIMITS.grantMs };
      await state.locked(() => state.write(FILE, JSON.stringify([...holding(), lasting])));
      look();
    },
    listStored: holding,
    async revoke(id) {
      const isThere = await state.locked(() => {
        const [all, others] = [holding(), holding().filter((grant) => grant.id !== id)];
        if (others.length < all.length) state.write(FILE, JSON.stringify(others));
        return others.length < all.length;
      });
      look();
      return isThere;
    },
  };
}

const FILE = "grants.json";

/** State that cannot be looked at grants nothing, and stops nobody from reading. */
function modifiedMsOf(state: State): number {
  try {
    return state.changedMs(FILE);
  } catch {
    return 0;
  }
}

/** A file that cannot be understood grants nothing. */
function readStoredGrants(state: State): readonly StoredGrant[] {
  try {
    const grants = JSON.parse(state.read(FILE) ?? "[]") as unknown;
    return Array.isArray(grants) ? grants.filter(isGrant) : [];
  } catch {
    return [];
  }
}

const isGrant = (value: unknown): value is StoredGrant => {
  const { id, act, path, tool, expiresMs } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const isPath = Array.isArray(path) && path.every((each) => typeof each === "string");
  const isFor = isPath || (path === undefined && typeof tool === "string");
  return typeof id === "string" && ACTS.some((each) => each === act) && isFor && typeof expiresMs === "number";
};

/** The same acts by the same tool, or at the same places, and in them only where all of a tree was asked for. */
export const grantsFor = (wants: readonly TreePermissionRequest[], by: string): readonly Grant[] =>
  wants.flatMap(({ act, place, tool, tree, isUnseen, carriedTo }) => {
    const said = { act, reason: `allowed by ${by} before`, origin: "approval" };
    if (tool) return { ...said, tool: tool.name };
    // What runs is listed by its program, not by a place; to carry something elsewhere is not to read it.
    if (act === "exec" || carriedTo !== undefined) return [];
    const exactly = place.replaceAll(/[*?[\]{}\\!]/g, "\\$&");
    if (exactly.length + 3 > LIMITS.patternChars) return [];
    const isAll = tree !== undefined || isUnseen;
    return { ...said, ...(isAll ? { path: [exactly, `${exactly}/**`] } : { path: [exactly], only: place }) };
  });
