import { isRecord } from "../../base/json.ts";
import { LIMITS } from "../../base/limits.ts";
import { type Id, idInLine, idOf, isId, isTooDeep, NOT_JSON, RPC, TOO_DEEP } from "../json-rpc.ts";

/** Lists the error codes of this protocol, beside those of JSON-RPC. */
export const RPC_CODES = { rateLimited: -32_000, denied: -32_001, pending: -32_002, noSession: -32_003 } as const;

/** The result of a method, or its error. */
export type RpcResponse = { readonly result: unknown } | { readonly error: RpcError };

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Handles one request. Never throws. */
export type HandleRequest = (method: string, params: unknown) => Promise<RpcResponse>;

export const errorResponse = (code: number, message: string, data?: unknown): RpcResponse => ({
  error: { code, message, ...(data !== undefined && { data }) },
});

/** Answers one line, which may be a batch. Returns undefined when it holds notifications only. */
export async function answerTo(line: string, handle: HandleRequest): Promise<string | undefined> {
  if (isTooDeep(line)) return responseLine(idInLine(line), errorResponse(RPC.request, TOO_DEEP));
  const message = parseLine(line);
  if (message === undefined) return responseLine(null, errorResponse(RPC.parse, NOT_JSON));
  if (!Array.isArray(message)) return answerOne(message, handle);
  if (message.length === 0) return responseLine(null, errorResponse(RPC.request, "The batch is empty"));
  if (message.length > LIMITS.rpcBatch)
    return responseLine(null, errorResponse(RPC.request, `The batch holds more than ${LIMITS.rpcBatch} requests`));
  const answers: string[] = [];
  let room: number = LIMITS.answerChars;
  // Requests run one after the other, because a batch may write a file and then read it.
  for (const each of message) {
    const answer = await answerOne(each, room > 0 || !expectsAnswer(each) ? handle : refuseFullBatch);
    if (answer === undefined) continue;
    answers.push(answer);
    room -= answer.length;
  }
  return answers.length === 0 ? undefined : `[${answers.join(",")}]`;
}

/** Rejects the rest of a batch once its answers, which are sent as one text, have reached the size limit. */
const refuseFullBatch: HandleRequest = async () =>
  errorResponse(
    RPC_CODES.rateLimited,
    "Nothing was done: the answer to this batch is full; send the request again in another batch",
  );

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

async function answerOne(message: unknown, handle: HandleRequest): Promise<string | undefined> {
  if (!isRequest(message))
    return responseLine(idOf(message), errorResponse(RPC.request, "The message is not a JSON-RPC 2.0 request"));
  const answer = await handle(message.method, message.params);
  return expectsAnswer(message) ? responseLine(idOf(message), answer) : undefined;
}

const expectsAnswer = (message: unknown): boolean => isRecord(message) && "id" in message;

interface RpcRequest {
  readonly id?: unknown;
  readonly method: string;
  readonly params?: unknown;
}

const isRequest = (value: unknown): value is RpcRequest => {
  if (!isRecord(value)) return false;
  const { jsonrpc, method, id = null } = value;
  return jsonrpc === "2.0" && typeof method === "string" && (id === null || isId(id));
};

export const responseLine = (id: Id | null, answer: RpcResponse): string =>
  JSON.stringify({ jsonrpc: "2.0", id, ...answer });
