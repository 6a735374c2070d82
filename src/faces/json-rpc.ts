import { isRecord } from "../base/json.ts";
import { isDeeperThan } from "../base/json-depth.ts";
import { LIMITS } from "../base/limits.ts";

/** Lists the error codes of JSON-RPC 2.0. They are copied here so that the MCP SDK need not be loaded for them. */
export const RPC = { parse: -32_700, request: -32_600, method: -32_601, params: -32_602 } as const;

/** Answers a message that is not JSON. */
export const NOT_JSON = "The message is not JSON";

/** Identifies a request. Its response has the same id. */
export type Id = string | number;

export const isId = (id: unknown): id is Id => typeof id === "string" || typeof id === "number";

/** Returns the id of a message, or null if it has none that a response could repeat. */
export function idOf(message: unknown): Id | null {
  const id = isRecord(message) ? message["id"] : undefined;
  return isId(id) ? id : null;
}

/** Rejects a message and tells the client what to do instead. */
export const TOO_LONG =
  `The message is longer than ${LIMITS.messageBytes} bytes (${LIMITS.messageBytes / 1024 ** 2} MiB): ` +
  "write a large file in parts that are shorter than that, with append";
export const TOO_DEEP = `The message is nested deeper than ${LIMITS.messageDepth} levels: send flatter arguments`;

export const isTooDeep = (line: string): boolean => isDeeperThan(line, LIMITS.messageDepth);

/**
 * Finds the id of a message of which only the start and the end are known. Clients write it first or last, and without
 * it they could not tell which request failed. Members before the id must be scalars, so that an id inside the params
 * is never mistaken for it.
 */
export function idAtEdges(start: string, end: string): Id | null {
  const [, id] = FIRST.exec(start) ?? LAST.exec(end) ?? [];
  return id === undefined ? null : (JSON.parse(id) as Id);
}

const FIRST = /^\s*\{\s*(?:"[^"\\]*"\s*:\s*(?:"[^"\\]*"|[\w.+-]+)\s*,\s*)*?"id"\s*:\s*(-?\d+|"[^"\\]*")\s*[,}]/;
const LAST = /[,{]\s*"id"\s*:\s*(-?\d+|"[^"\\]*")\s*\}\s*$/;

/** Does the same for a whole line that must not be parsed. */
export const idInLine = (line: string): Id | null =>
  idAtEdges(line.slice(0, LIMITS.messageEdgeBytes), line.slice(-LIMITS.messageEdgeBytes));
