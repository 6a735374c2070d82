import { isRecord } from "../base/json.ts";
import { isDeeperThan } from "../base/json-depth.ts";
import { LIMITS } from "../base/limits.ts";

/** What JSON-RPC 2.0 calls its errors. The MCP SDK has these too, but it is not loaded for them. */
export const RPC = { parse: -32_700, request: -32_600, method: -32_601, params: -32_602 } as const;

/** Said of a line that is none. */
export const NOT_JSON = "The line is not JSON";

/** What a request is answered by. */
export type Id = string | number;

export const isId = (id: unknown): id is Id => typeof id === "string" || typeof id === "number";

/** The id of a message; null where it has none that an answer could carry. */
export function idOf(message: unknown): Id | null {
  const id = isRecord(message) ? message["id"] : undefined;
  return isId(id) ? id : null;
}

/** Said of a message that is not taken in, with what a client can do about it. */
export const TOO_LONG =
  `The message is longer than ${LIMITS.messageBytes} bytes (${LIMITS.messageBytes / 1024 ** 2} MiB): ` +
  "write a large file in parts that are shorter than that, with append";
export const TOO_DEEP = `The message is nested deeper than ${LIMITS.messageDepth} levels: send flatter arguments`;

export const isTooDeep = (line: string): boolean => isDeeperThan(line, LIMITS.messageDepth);

/**
 * The id of a message of which only both ends are known: clients write it first or last, and without it nobody would
 * know which request failed. A member before it must be plain, so that an id inside the params is never taken for it.
 */
export function idAtEdges(start: string, end: string): Id | null {
  const [, id] = FIRST.exec(start) ?? LAST.exec(end) ?? [];
  return id === undefined ? null : (JSON.parse(id) as Id);
}

const FIRST = /^\s*\{\s*(?:"[^"\\]*"\s*:\s*(?:"[^"\\]*"|[\w.+-]+)\s*,\s*)*?"id"\s*:\s*(-?\d+|"[^"\\]*")\s*[,}]/;
const LAST = /[,{]\s*"id"\s*:\s*(-?\d+|"[^"\\]*")\s*\}\s*$/;

/** The same for a line that is there, but is not to be parsed. */
export const idInLine = (line: string): Id | null =>
  idAtEdges(line.slice(0, LIMITS.messageEdgeBytes), line.slice(-LIMITS.messageEdgeBytes));
