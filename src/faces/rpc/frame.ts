import { LIMITS } from "../../base/limits.ts";

/** What a method gives: a result, or why there is none. */
export type Answer = { readonly result: unknown } | { readonly error: RpcError };

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Does what a request asks for. Never throws. */
export type Handle = (method: string, params: unknown) => Promise<Answer>;

export const RPC = { parse: -32_700, request: -32_600, method: -32_601, params: -32_602 } as const;

export const failure = (code: number, message: string, data?: unknown): Answer => ({
  error: { code, message, ...(data !== undefined && { data }) },
});

/** The answer to one line, which may be a batch; undefined when nobody wants one. */
export async function answerTo(line: string, handle: Handle): Promise<string | undefined> {
  const message = parsed(line);
  if (message === undefined) return framed(null, failure(RPC.parse, "The line is not JSON"));
  if (!Array.isArray(message)) return answerOne(message, handle);
  if (message.length === 0) return framed(null, failure(RPC.request, "The batch is empty"));
  if (message.length > LIMITS.rpcBatch)
    return framed(null, failure(RPC.request, `The batch holds more than ${LIMITS.rpcBatch} requests`));
  const answers: string[] = [];
  // One after the other: a batch may write a file and read it.
  for (const each of message) {
    const answer = await answerOne(each, handle);
    if (answer !== undefined) answers.push(answer);
  }
  return answers.length === 0 ? undefined : `[${answers.join(",")}]`;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

async function answerOne(message: unknown, handle: Handle): Promise<string | undefined> {
  if (!isRequest(message)) return framed(idOf(message), failure(RPC.request, "This is no JSON-RPC 2.0 request"));
  const answer = await handle(message.method, message.params);
  return "id" in message ? framed(idOf(message), answer) : undefined;
}

interface RpcRequest {
  readonly id?: unknown;
  readonly method: string;
  readonly params?: unknown;
}

const isRequest = (value: unknown): value is RpcRequest => {
  if (typeof value !== "object" || value === null) return false;
  const { jsonrpc, method } = value as Readonly<Record<string, unknown>>;
  const { id = null } = value as { readonly id?: unknown };
  return jsonrpc === "2.0" && typeof method === "string" && (id === null || isId(id));
};

const isId = (id: unknown): id is string | number => typeof id === "string" || typeof id === "number";

function idOf(value: unknown): string | number | null {
  const { id } = typeof value === "object" && value !== null ? (value as { readonly id?: unknown }) : {};
  return isId(id) ? id : null;
}

const framed = (id: string | number | null, answer: Answer): string =>
  JSON.stringify({ jsonrpc: "2.0", id, ...answer });
