import { randomBytes } from "node:crypto";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { isoOf } from "../../base/time.ts";
import type { ChannelName } from "../../base/verdicts.ts";
import type { State } from "../../storage/state.ts";
import { type ApprovalAnswer, type ApprovalRequest, approvalState } from "./approval.ts";
import { digestOf } from "../pipeline/effect.ts";

/** A question, before it has a name and a time. */
export type NewRequest = Omit<
  ApprovalRequest,
  "id" | "digest" | "process" | "askedMs" | "expiresMs" | "answer" | "show"
>;

/**
 * The open questions of a workspace, one file each in our state directory: they outlive the process that asked, and
 * whoever may write there may answer. Each is answered once and used once, whoever comes first; to use one is to
 * remove it, so that a process that dies between that and the deed has done nothing.
 */
export interface ApprovalStore {
  /** The question for this very effect that this session may go on with, if it is still of use. */
  find(digest: string, session: string): ApprovalRequest | undefined;
  /** Puts a question where it can be seen and answered. The same one of another call serves both. */
  add(asked: NewRequest): Promise<ApprovalRequest>;
  read(id: string): ApprovalRequest | undefined;
  /** Its own questions, and those of processes that have ended. */
  mayUse(request: ApprovalRequest, session: string): boolean;
  /** Oldest first; also those that expired lately. */
  list(): readonly ApprovalRequest[];
  /** Throws when there is nothing to answer any more, or this is not who may. */
  answer(id: string, answer: ApprovalAnswer, by: ChannelName): Promise<ApprovalRequest>;
  /** Takes an answered question away, as it was; undefined when another call was first or its time is over. */
  consume(id: string): Promise<ApprovalRequest | undefined>;
  /** Puts what was used, but not for anything, back as it was. */
  restoreUnused(requests: readonly ApprovalRequest[]): Promise<void>;
}

export function createApprovalStore(state: State, nowMs: () => number = Date.now): ApprovalStore {
  const read = (id: string): ApprovalRequest | undefined =>
    ID.test(id) ? parseRequest(state.read(fileOf(id)), id) : undefined;
  const save = (request: ApprovalRequest): void => state.write(fileOf(request.id), JSON.stringify(request));
  const all = (): readonly ApprovalRequest[] => state.list(FOLDER).flatMap((id) => read(id) ?? []);
  const mayUse = ({ session, process, askedMs }: ApprovalRequest, user: string): boolean =>
    session === user ||
    (process !== state.self && state.hasExited(process, nowMs() - askedMs > LIMITS.pendingSilentMs));
  const find: ApprovalStore["find"] = (digest, session) => {
    const named = state.list(FOLDER).filter((id) => id.startsWith(digest.slice(0, DIGEST_CHARS)));
    const found = named.flatMap((id) => read(id) ?? []);
    const usable = found.filter((each) => each.digest === digest && mayUse(each, session) && nowMs() < each.expiresMs);
    return usable.find(({ answer }) => answer) ?? usable[0];
  };
  return {
    read,
    mayUse,
    list: () => all().toSorted((a, b) => a.askedMs - b.askedMs),
    find,
    async add(asked) {
      const digest = digestOf(asked.tool, asked.effect);
      const id = `${digest.slice(0, DIGEST_CHARS)}${randomBytes(2).toString("hex")}`;
      const askedMs = nowMs();
      const request = { ...asked, id, digest, process: state.self, askedMs, expiresMs: askedMs + LIMITS.approvalMs };
      return state.locked(() => {
        const same = find(digest, asked.session);
        if (same) return same;
        removeExpired(state, askedMs);
        requireRoom(all(), askedMs);
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

const FOLDER = "approvals";
/** What of the digest begins a name, so that a question is found without opening the others. */
const DIGEST_CHARS = 8;
const ID = /^[0-9a-f]{12}$/;

const fileOf = (id: string): string => `${FOLDER}/${id}`;

/** What does not say what it asks for, or was altered so that it says something else, is no question. */
function parseRequest(text: string | null, id: string): ApprovalRequest | undefined {
  try {
    const request = JSON.parse(text ?? "null") as ApprovalRequest | null;
    const isSound = request?.id === id && request.digest === digestOf(request.tool, request.effect);
    return isSound && id.startsWith(request.digest.slice(0, DIGEST_CHARS)) ? request : undefined;
  } catch {
    return undefined;
  }
}

function removeExpired(state: State, nowMs: number): void {
  for (const id of state.list(FOLDER))
    if (nowMs - state.changedMs(fileOf(id)) > LIMITS.approvalRetentionMs) state.remove(fileOf(id));
}

/** Nobody reads hundreds of questions: whoever asks so much is not asking any more. */
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

/** There is no such question, or no longer. */
export const approvalNotFound = (id: string): Fault =>
  new Fault("not_found", `Cannot find the approval ${JSON.stringify(id)}: it was used, withdrawn or never there`, {
    id,
    hint: "Make the call itself again: it asks anew where it has to",
  });

function requireChannel({ channels, id }: ApprovalRequest, by: ChannelName): void {
  if (channels?.includes(by) ?? true) return;
  throw new Fault("denied", `Cannot answer ${id} by ${by}: the rules leave it to ${channels?.join(" and ")}`, { id });
}
