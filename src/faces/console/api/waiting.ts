import * as z from "zod";
import { Fault, isFault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { isoOf } from "../../../base/time.ts";
import { type ApprovalRequest, approvalState, DECISIONS } from "../../../runtime/approvals/approval.ts";
import { approvalNotFound } from "../../../runtime/approvals/store.ts";
import { isEffectCurrent } from "../../../runtime/effects/current-effect.ts";
import { unrestrictedView } from "../../../runtime/pipeline/unrestricted-view.ts";
import { hunksIn } from "../../../text/diff/hunks.ts";
import type { QuestionEffect, WaitingList, WaitingQuestion } from "../contract.ts";
import { type ApiCall, type Endpoint, nameOf, parsed } from "./endpoint.ts";
import { nameWithin } from "./names.ts";

/** Shows and answers questions. Remembers those that were answered here, since using an answer removes it. */
export function createWaiting(): readonly Endpoint[] {
  const answered = new Map<string, ApprovalRequest>();
  const remember = (request: ApprovalRequest): void => {
    const [oldest] = answered.keys();
    if (oldest !== undefined && answered.size >= LIMITS.consoleAnswered) answered.delete(oldest);
    answered.set(request.id, request);
  };
  return [
    {
      method: "GET",
      path: "/api/waiting",
      async handle(call): Promise<WaitingList> {
        const stored = call.app.approvals.list();
        const used = [...answered.values()].filter(({ id }) => !stored.some((request) => request.id === id));
        const shown = [...used, ...stored].filter(isRecent).toSorted((one, other) => one.askedMs - other.askedMs);
        return { questions: await Promise.all(shown.map((request) => questionOf(request, call))) };
      },
    },
    {
      method: "POST",
      path: "/api/waiting/:",
      async handle(call): Promise<object> {
        const { decision, reason } = parsed(answerBody, call.body);
        const request = call.app.approvals.read(nameOf(call));
        if (!request) throw approvalNotFound(nameOf(call));
        const isPending = approvalState(request, Date.now()) === "pending";
        if (isPending && decision !== "deny" && !(await isCurrent(request, call))) throw staleFault(request);
        if (isPending && isLasting(decision) && !isRepeatable(request)) throw onlyOnceFault(request);
        const answer = { decision, who: call.person.who, ...(reason !== undefined && reason !== "" && { reason }) };
        remember(await call.app.approvals.answer(request.id, answer, "console"));
        return {};
      },
    },
  ];
}

const answerBody = z.strictObject({
  decision: z.enum(DECISIONS),
  reason: z.string().max(LIMITS.argumentChars).optional(),
});

const isLasting = (decision: (typeof DECISIONS)[number]): boolean => decision === "session" || decision === "always";

/** Leaves out what was answered or has expired long ago. */
function isRecent(request: ApprovalRequest): boolean {
  const nowMs = Date.now();
  if (approvalState(request, nowMs) === "pending") return true;
  return nowMs - (request.answer?.atMs ?? request.expiresMs) < LIMITS.consoleAnsweredMs;
}

const staleFault = ({ id }: ApprovalRequest): Fault =>
  new Fault("stale", `Cannot allow ${id}: the files changed since it was asked`, {
    hint: "Deny it, or leave it: the agent asks again with what it would do now",
  });

const onlyOnceFault = ({ id }: ApprovalRequest): Fault =>
  new Fault("denied", `Cannot allow ${id} for longer: it leaves the sandbox, so each time is a question of its own`, {
    hint: "Allow it once",
  });

async function questionOf(request: ApprovalRequest, call: ApiCall): Promise<WaitingQuestion> {
  const { id, tool, session, reasons, effect, channels, answer } = request;
  const state = approvalState(request, Date.now());
  return {
    id,
    state,
    tool,
    session,
    agent: call.sessions.agentOf(session),
    asked: isoOf(request.askedMs),
    expires: isoOf(request.expiresMs),
    reasons,
    summary: effect.summary,
    effects: effect.parts.map((part) => effectOf(part, request.roots ?? [])),
    recoverable: effect.recoverable,
    answerable: channels?.includes("console") ?? true,
    current: state !== "pending" || (await isCurrent(request, call)),
    repeatable: isRepeatable(request),
    ...(answer && {
      answer: {
        decision: answer.decision,
        ...(answer.reason !== undefined && { reason: answer.reason }),
        time: isoOf(answer.atMs),
      },
    }),
  };
}

/**
 * Compares what the question binds with the files as they are now. Places that cannot be looked at from here, such as
 * another storage, count as unchanged: the call itself is planned again before it acts, and asks anew if it differs.
 */
async function isCurrent({ effect }: ApprovalRequest, { app, signal }: ApiCall): Promise<boolean> {
  try {
    return await isEffectCurrent(effect, unrestrictedView(app.session.workspace, signal));
  } catch (error) {
    if (!isFault(error)) throw error;
    return true;
  }
}

/** A command that leaves the sandbox is approved each time. */
const isRepeatable = ({ input }: ApprovalRequest): boolean =>
  !(typeof input === "object" && input !== null && "elevated" in input && input.elevated === true);

type EffectPart = ApprovalRequest["effect"]["parts"][number];

/** Shows everything that a part binds: contents as hunks, what a directory holds and what is sent as text. */
function effectOf(part: EffectPart, roots: readonly string[]): QuestionEffect {
  const { action, path, to, diff, note } = part;
  const text = [...(part.entries ?? []), ...(part.sends === undefined ? [] : [part.sends])].join("\n");
  const isDirectory = part.entries !== undefined;
  const name = (place: string): string => `${nameWithin(roots, place)}${isDirectory ? "/" : ""}`;
  return {
    action,
    path: to === undefined ? name(path) : `${name(path)} → ${name(to)}`,
    ...notesOf(part, note),
    ...(text !== "" && { text }),
    ...(diff !== undefined && {
      hunks: hunksIn(diff, { mostLines: Infinity, mostChars: Infinity }).hunks,
    }),
  };
}

function notesOf({ files, bytes, mode }: EffectPart, note: string | undefined): { readonly note?: string } {
  const facts = [
    files !== undefined && `${files} ${files === 1 ? "file" : "files"}`,
    bytes !== undefined && `${bytes.toLocaleString("en")} ${bytes === 1 ? "byte" : "bytes"}`,
    mode !== undefined && `permissions ${mode}`,
    note,
  ].filter((fact) => typeof fact === "string");
  return facts.length === 0 ? {} : { note: facts.join(", ") };
}
