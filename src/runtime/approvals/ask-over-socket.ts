import { Buffer } from "node:buffer";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import * as z from "zod";
import { errnoOf } from "../../base/errno.ts";
import { LIMITS } from "../../base/limits.ts";
import { parseStored } from "../../base/stored-json.ts";
import { visible } from "../../text/quote.ts";
import { questionLines } from "../effects/effect-text.ts";
import type { ApprovalAnswer, ApprovalRequest } from "./approval.ts";

/** The socket that a program of the user listens on to be asked for approvals. */
export interface ApprovalSocket {
  readonly path: string;
  /** Tells that program who asks. */
  readonly token?: string | undefined;
  /** Identifies the socket that is at the path now. Throws where another user could have put it there. */
  readonly identify: (path: string) => string;
}

/**
 * Asks one question on a connection of its own: a line goes out, a line comes back. Returns undefined where no answer
 * comes in time; the question then waits for other people. Throws where the peer is not to be trusted, or not there.
 */
export async function askOverSocket(
  socket: ApprovalSocket,
  request: ApprovalRequest,
  withdrawn: AbortSignal,
): Promise<ApprovalAnswer | undefined> {
  const over = AbortSignal.any([withdrawn, AbortSignal.timeout(LIMITS.socketAnswerMs)]);
  if (over.aborted) return undefined;
  const identity = socket.identify(socket.path);
  // An open question must not keep the process alive: it can be answered by other channels.
  const connection = connect(socket.path).unref();
  // Whoever waits hears of an error; one that comes later changes nothing.
  connection.on("error", () => {});
  const giveUp = (): void => void connection.destroy();
  over.addEventListener("abort", giveUp, { once: true });
  try {
    await once(connection, "connect", { signal: over });
    if (socket.identify(socket.path) !== identity) throw new Error("the socket was replaced meanwhile");
    connection.write(`${JSON.stringify(messageFor(request, socket.token))}\n`);
    const line = await firstLine(connection);
    return line === undefined ? undefined : answerIn(line, request.id);
  } catch (error) {
    if (over.aborted) return undefined;
    throw errnoOf(error) === "ECONNREFUSED" ? new Error("nothing listens on the socket", { cause: error }) : error;
  } finally {
    over.removeEventListener("abort", giveUp);
    connection.destroy();
  }
}

/** Shows exactly what would happen, with every hidden character escaped. */
const messageFor = (request: ApprovalRequest, token: string | undefined) => ({
  type: "request",
  ...(token !== undefined && { token }),
  id: request.id,
  request: {
    command: visible(request.effect.summary),
    agentId: request.agent,
    sessionKey: request.session,
    tool: request.tool,
    text: questionLines(request).join("\n"),
    digest: request.digest,
    expiresAtMs: request.expiresMs,
  },
});

/** Returns undefined where the peer closes the connection without a line. */
async function firstLine(connection: Socket): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of connection as AsyncIterable<Buffer>) {
    const end = chunk.indexOf("\n");
    const part = end < 0 ? chunk : chunk.subarray(0, end);
    bytes += part.length;
    if (bytes > LIMITS.socketAnswerBytes) throw new Error("the answer is too long");
    parts.push(part);
    if (end >= 0) return Buffer.concat(parts).toString("utf8");
  }
  return undefined;
}

const decided = z.object({
  type: z.literal("decision"),
  id: z.string().optional(),
  decision: z.enum(["allow-once", "allow-always", "deny"]),
});

/** Throws if the line is no decision or names another question. */
function answerIn(line: string, id: string): ApprovalAnswer {
  const answer = parseStored(decided, line);
  if (!answer) throw new Error('the answer is not {"type":"decision","decision":"allow-once|allow-always|deny"}');
  if (answer.id !== undefined && answer.id !== id) throw new Error("the answer is to another question");
  return { decision: MEANINGS[answer.decision] };
}

const MEANINGS = { "allow-once": "once", "allow-always": "always", deny: "deny" } as const;
