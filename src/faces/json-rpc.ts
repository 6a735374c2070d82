import { isRecord } from "../base/json.ts";

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
