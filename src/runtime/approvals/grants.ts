import { randomBytes } from "node:crypto";
import * as z from "zod";
import { LIMITS } from "../../base/limits.ts";
import { parseStoredList } from "../../base/stored-json.ts";
import { ACTS } from "../../base/verdicts.ts";
import type { State } from "../../storage/state.ts";
import type { TreePermissionRequest } from "../rules/permission-request.ts";
import type { Grant } from "../rules/rules.ts";

/** Keeps what was allowed for longer than once: for this session in memory, "always" in the state directory. */
export interface Grants {
  /**
   * Returns the grants of this agent, the same value until something changes. Grants of other processes are seen about a
   * second later.
   */
  current(): readonly Grant[];
  add(grant: Grant, until: "session" | "always"): Promise<void>;
  /** Lists grants that outlive the session, those of other agents as well. */
  listStored(): readonly StoredGrant[];
  /** Removes a stored grant; returns false when there is none with this id. */
  revoke(id: string): Promise<boolean>;
}

/** A grant in the file. One without agent or roots grants nothing. Keys of a newer version are kept: they may limit it. */
const storedGrant = z.lazy(
  () =>
    z
      .looseObject({
        id: z.string(),
        act: z.enum(ACTS),
        path: z.array(z.string()).optional(),
        tool: z.string().optional(),
        plugin: z.string().optional(),
        agent: z.string(),
        roots: z.array(z.string()),
        only: z.string().optional(),
        reason: z.string().optional(),
        origin: z.string().default("approval"),
        expiresMs: z.number(),
      })
      .refine(({ path, tool }) => path !== undefined || tool !== undefined) satisfies z.ZodType<Grant>,
);

export type StoredGrant = z.output<typeof storedGrant>;

/** Creates the grants of one agent, in the state that all agents and workspaces of the user share. */
export function createGrants(state: State, agent: string, nowMs: () => number = Date.now): Grants {
  let ofSession: readonly Grant[] = [];
  let stored: readonly StoredGrant[] = [];
  let both: readonly Grant[] = [];
  const join = (): void => void (both = [...ofSession, ...stored]);
  let seenMs = 0;
  let nextMs = 0;
  /** Throws where the file cannot be read: adding to nothing would overwrite what is there. */
  const holding = (): readonly StoredGrant[] =>
    parseStoredList(storedGrant, state.read(FILE)).filter(({ expiresMs }) => expiresMs > nowMs());
  const look = (): void => {
    const changedMs = modifiedMsOf(state);
    nextMs = nowMs() + LIMITS.configPollMs;
    if (changedMs === seenMs) return;
    seenMs = changedMs;
    stored = readStoredGrants(state).filter((grant) => grant.agent === agent);
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
      const id = randomBytes(4).toString("hex");
      const lasting = { ...grant, id, agent, expiresMs: nowMs() + LIMITS.grantMs };
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

/** Treats state that cannot be read as if there were none: it grants nothing, and reading goes on. */
function modifiedMsOf(state: State): number {
  try {
    return state.changedMs(FILE);
  } catch {
    return 0;
  }
}

/** Treats a file that cannot be read as one without grants. */
function readStoredGrants(state: State): readonly StoredGrant[] {
  try {
    return parseStoredList(storedGrant, state.read(FILE));
  } catch {
    return [];
  }
}

/**
 * Creates grants for the same acts by the same tool or at the same places, and below them only if a tree was asked for.
 * They hold in these roots only.
 */
export const grantsFor = (
  requests: readonly TreePermissionRequest[],
  by: string,
  roots: readonly string[],
): readonly Grant[] =>
  requests.flatMap(({ act, place, tool, tree, isUnseen, carriedTo }) => {
    const common = { act, roots, reason: `allowed by ${by} before`, origin: "approval" };
    if (tool) return { ...common, tool: tool.name, plugin: tool.plugin };
    // A program is listed in exec-approvals.json instead, and a yes to moving content is not one to reading it.
    if (act === "exec" || carriedTo !== undefined) return [];
    const exactly = place.replaceAll(/[*?[\]{}\\!]/g, "\\$&");
    if (exactly.length + 3 > LIMITS.patternChars) return [];
    const isAll = tree !== undefined || isUnseen;
    return { ...common, ...(isAll ? { path: [exactly, `${exactly}/**`] } : { path: [exactly], only: place }) };
  });
