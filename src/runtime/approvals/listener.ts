import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { type ApprovalAnswer, type ApprovalRequest, approvalState, DECISIONS } from "./approval.ts";
import type { ApprovalLinks } from "./approval-links.ts";
import { messagePage, PAGE_HEADERS, questionPage } from "./question-page.ts";
import type { ApprovalStore } from "./store.ts";

export interface ApprovalListener {
  readonly port: number;
  close(): void;
}

/** Holds what the listener needs to answer questions. */
export interface ListenerOptions {
  readonly links: ApprovalLinks;
  readonly store: ApprovalStore;
  /** Is called with the id of each question that was answered here. */
  readonly onAnswered: (id: string) => void;
}

/** Listens on the loopback address for requests with a valid link. Only a POST answers, and only once. */
export async function listenForAnswers(port: number, awaited: ListenerOptions): Promise<ApprovalListener> {
  const server = createServer(SERVER_TIMEOUTS, (request, response) => {
    response.on("error", () => {});
    void replyTo(request, awaited).then(({ status, html }) => send(response, status, html));
  });
  server.maxConnections = LIMITS.answerConnections;
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  // An open question must not keep the process alive: it can be answered by other channels.
  server.unref();
  return { port: (server.address() as AddressInfo).port, close: () => closeServer(server) };
}

const SERVER_TIMEOUTS = {
  requestTimeout: LIMITS.postMs,
  headersTimeout: LIMITS.postMs,
  connectionsCheckingInterval: LIMITS.postMs,
};

function closeServer(server: Server): void {
  server.close();
  server.closeIdleConnections();
}

function send(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, PAGE_HEADERS);
  response.end(html);
}

interface PageReply {
  readonly status: number;
  readonly html: string;
}

const messageReply = (status: number, message: string): PageReply => ({ status, html: messagePage(message) });

async function replyTo(request: IncomingMessage, awaited: ListenerOptions): Promise<PageReply> {
  const { links, store } = awaited;
  try {
    const question = links.questionAt(request.url ?? "", store.read);
    if (!question)
      return messageReply(404, "There is nothing to answer here: the link was used, has ended or was never made");
    const state = approvalState(question, Date.now());
    if (state !== "pending") return messageReply(410, `There is nothing to answer any more: it is ${state}`);
    if (request.method === "GET" || request.method === "HEAD") return { status: 200, html: questionPage(question) };
    if (request.method !== "POST") return messageReply(405, "Look at it with GET, answer it with POST");
    return await recordAnswer(question, parseForm(await bodyOf(request)), awaited);
  } catch (error) {
    return messageReply(isFault(error) ? 409 : 400, isFault(error) ? error.message : "The answer cannot be read");
  }
}

async function recordAnswer(
  { id }: ApprovalRequest,
  answer: ApprovalAnswer | undefined,
  { store, onAnswered }: ListenerOptions,
): Promise<PageReply> {
  if (!answer) return messageReply(400, "Say decision=once, session, always or deny");
  await store.answer(id, answer, "webhook");
  onAnswered(id);
  return messageReply(200, answer.decision === "deny" ? "Denied" : "Allowed");
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LIMITS.argumentChars) throw new Error("too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Parses the body of an HTML form. */
function parseForm(body: string): ApprovalAnswer | undefined {
  const form = new URLSearchParams(body);
  const decision = DECISIONS.find((each) => each === form.get("decision"));
  const [reason, who] = [form.get("reason"), form.get("who")];
  return decision && { decision, ...(decision === "deny" && reason && { reason }), ...(who && { who }) };
}
