import { randomBytes } from "node:crypto";
import * as z from "zod";
import { Fault } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";
import { LIMITS } from "../../base/limits.ts";
import { parseStored } from "../../base/stored-json.ts";
import { isoOf } from "../../base/time.ts";
import type { ChannelName } from "../../base/verdicts.ts";
import type { State } from "../../storage/state.ts";
import { type ApprovalAnswer, type ApprovalRequest, approvalState, DECISIONS, type Requester } from "./approval.ts";
import { type CallEffect, digestOf } from "../effects/call-effect.ts";

/** A question before the store assigns its id and times. */
export type NewRequest = Requester &
  Pick<ApprovalRequest, "tool" | "input" | "effect" | "reasons" | "channels" | "longest">;

/**
 * Keeps the open questions of all sessions of the user, one file each in the state directory. They outlive the process
 * that asked, and any process that can write there can answer. Each is answered once and used once, by whoever comes
 * first. Using an answer removes it, so that a process that crashes before it acts has done nothing.
 */
export interface ApprovalStore {
  /** Returns the question for this very effect that this session may use, unless it has expired. */
  find(digest: string, user: Requester): ApprovalRequest | undefined;
  /** Stores a question. Returns the existing one where another call asked the same. */
  add(asked: NewRequest): Promise<ApprovalRequest>;
  read(id: string): ApprovalRequest | undefined;
  /**
   * Returns true for questions of the session itself. Those of processes that have ended, and of sessions whose client
   * is away, are left to sessions of the same agent with the same roots.
   */
  mayUse(request: ApprovalRequest, user: Requester): boolean;
  /** Notes whether the client of a session of this process has no connection now: it may come back with another one. */
  setAway(session: string, isAway: boolean): void;
  /** Lists the questions of all sessions, the oldest first, including those that expired recently. */
  list(): readonly ApprovalRequest[];
  /** Throws when there is nothing to answer any more, or the channel may not answer. */
  answer(id: string, answer: ApprovalAnswer, by: ChannelName): Promise<ApprovalRequest>;
  /** Removes and returns an answered question; undefined when another call was first or it has expired. */
  consume(id: string): Promise<ApprovalRequest | undefined>;
  /** Puts back answers that were consumed without acting on them. */
  restoreUnused(requests: readonly ApprovalRequest[]): Promise<void>;
}

export function createApprovalStore(state: State, nowMs: () => number = Date.now): ApprovalStore {
  const read = (id: string): ApprovalRequest | undefined =>
    ID.test(id) ? parseRequest(state.read(fileOf(id)), id) : undefined;
  const save = (request: ApprovalRequest): void => state.write(fileOf(request.id), JSON.stringify(request));
  const all = (): readonly ApprovalRequest[] => state.list(FOLDER).flatMap((id) => read(id) ?? []);
  const away = createAwaySessions();
  const hasEnded = ({ process, session, askedMs }: ApprovalRequest): boolean =>
    process === state.self ? away.has(session) : state.hasExited(process, nowMs() - askedMs > LIMITS.pendingSilentMs);
  const mayUse: ApprovalStore["mayUse"] = (request, user) =>
    request.session === user.session || (isOfSameWorkspace(request, user) && hasEnded(request));
  const find: ApprovalStore["find"] = (digest, user) => {
    const named = state.list(FOLDER).filter((id) => id.startsWith(digest.slice(0, DIGEST_CHARS)));
    const found = named.flatMap((id) => read(id) ?? []);
    const usable = found.filter((each) => each.digest === digest && mayUse(each, user) && nowMs() < each.expiresMs);
    return usable.find(({ answer }) => answer) ?? usable[0];
  };
  return {
    read,
    mayUse,
    setAway: away.set,
    list: () => all().toSorted((a, b) => a.askedMs - b.askedMs),
    find,
    async add(asked) {
      const digest = digestOf(asked.tool, asked.effect);
      const id = `${digest.slice(0, DIGEST_CHARS)}${randomBytes(2).toString("hex")}`;
      const askedMs = nowMs();
      const request = { ...asked, id, digest, process: state.self, askedMs, expiresMs: askedMs + LIMITS.approvalMs };
      return state.locked(() => {
        const same = find(digest, asked);
        if (same) return same;
        removeExpired(state, askedMs);
        requireRoom(
          all().filter(({ session }) => session === asked.session),
          askedMs,
        );
        save(request);
        return request;
      });
    },
    answer: (id, answer, by) =>
      state.locked(() => {
        const request = requireOpen(read(id), id, nowMs());
        requireChannel(request, by);
        const answered = { ...request, answer: { ...answer, by, atMs: nowMs() } };
        save(answered);
        return answered;
      }),
    consume: (id) =>
      state.locked(() => {
        const request = read(id);
        if (!request || !["allowed", "denied"].includes(approvalState(request, nowMs()))) return undefined;
        state.remove(fileOf(id));
        return request;
      }),
    async restoreUnused(requests) {
      if (requests.length > 0) await state.locked(() => requests.forEach(save));
    },
  };
}

/** Knows the sessions of this process whose client is away: those that left last, at most `LIMITS.awaySessions`. */
function createAwaySessions() {
  const away = new Set<string>();
  return {
    has: (session: string): boolean => away.has(session),
    set(session: string, isAway: boolean): void {
      away.delete(session);
      if (isAway) away.add(session);
      const [oldest] = away;
      if (oldest !== undefined && away.size > LIMITS.awaySessions) away.delete(oldest);
    },
  };
}

const FOLDER = "approvals";
/** The length of the digest prefix in file names, by which a question is found without opening the others. */
const DIGEST_CHARS = 8;
const ID = /^[0-9a-f]{12}$/;

const fileOf = (id: string): string => `${FOLDER}/${id}`;

/** A newer version may have more channels. */
const channel = z.custom<ChannelName>((value) => typeof value === "string");

const givenAnswer = () =>
  z.looseObject({
    decision: z.enum(DECISIONS),
    reason: z.string().optional(),
    who: z.string().optional(),
    by: channel,
    atMs: z.number(),
  });

/** A question in its file. The digest proves the effect. */
const storedRequest = z.lazy(
  () =>
    z.looseObject({
      id: z.string(),
      tool: z.string(),
      input: z.unknown(),
      session: z.string(),
      agent: z.string().optional(),
      client: z.string().optional(),
      roots: z.array(z.string()).optional(),
      process: z.string(),
      effect: z.custom<CallEffect>(isRecord),
      digest: z.string(),
      reasons: z.array(z.string()),
      channels: z.array(channel).optional(),
      longest: z.enum(["once", "session"]).optional(),
      askedMs: z.number(),
      expiresMs: z.number(),
      answer: givenAnswer().optional(),
    }) satisfies z.ZodType<ApprovalRequest>,
);

/** Rejects files that are damaged, or altered so that the digest no longer fits the effect. */
function parseRequest(text: string | null, id: string): ApprovalRequest | undefined {
  const request = parseStored(storedRequest, text);
  const isValid = request?.id === id && request.digest === digestOf(request.tool, request.effect);
  return isValid && id.startsWith(request.digest.slice(0, DIGEST_CHARS)) ? request : undefined;
}

function removeExpired(state: State, nowMs: number): void {
  for (const id of state.list(FOLDER))
    if (nowMs - state.changedMs(fileOf(id)) > LIMITS.approvalRetentionMs) state.remove(fileOf(id));
}

/** Compares the roots as a set: their order changes nothing about an effect, which names real paths. */
const isOfSameWorkspace = ({ agent, roots }: ApprovalRequest, user: Requester): boolean =>
  agent === user.agent && roots?.length === user.roots.length && roots.every((root) => user.roots.includes(root));

/** Limits the number of open questions of a session, since nobody reads hundreds of them. */
function requireRoom(requests: readonly ApprovalRequest[], nowMs: number): void {
  const open = requests.filter((each) => approvalState(each, nowMs) === "pending");
  if (open.length < LIMITS.approvalsOpen) return;
  throw new Fault("denied", `Cannot ask for approval: ${open.length} questions wait for an answer already`);
}

function requireOpen(request: ApprovalRequest | undefined, id: string, nowMs: number): ApprovalRequest {
  if (!request) throw approvalNotFound(id);
  const state = approvalState(request, nowMs);
  if (state === "pending") return request;
  const { answer, expiresMs } = request;
  const says = answer
    ? `it was ${state} by ${answer.by} at ${isoOf(answer.atMs)}; the first answer counts`
    : `it expired at ${isoOf(expiresMs)}`;
  throw new Fault(state === "expired" ? "expired" : "conflict", `Cannot answer ${id}: ${says}`, { id, state });
}

/** Creates the fault for a question that does not exist, or no longer. */
export const approvalNotFound = (id: string): Fault =>
  new Fault("not_found", `Cannot find the approval ${JSON.stringify(id)}: it was used, withdrawn or never there`, {
    id,
    hint: "Make the call itself again: it asks anew where it has to",
  });

function requireChannel({ channels, id }: ApprovalRequest, by: ChannelName): void {
  if (channels?.includes(by) ?? true) return;
  throw new Fault("denied", `Cannot answer ${id} by ${by}: the rules leave it to ${channels?.join(" and ")}`, { id });
}
