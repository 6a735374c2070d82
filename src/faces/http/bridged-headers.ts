import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { isRecord } from "../../base/json.ts";

/** Returns the headers that go with a message: in 2026, they repeat what it is about. */
export function bridgedHeaders(message: JSONRPCMessage): Record<string, string> {
  const version = versionIn(message);
  return { ...CONTENT, ...(version !== undefined && "method" in message && modernHeaders(message, version)) };
}

const CONTENT = { "content-type": "application/json", accept: "application/json, text/event-stream" };

/** Returns true for a message that says its own revision, as those of 2026 do. */
export const isModern = (message: JSONRPCMessage): boolean => versionIn(message) !== undefined;

function modernHeaders(message: Extract<JSONRPCMessage, { method: string }>, version: string): Record<string, string> {
  const { name, uri } = message.params ?? {};
  const about = message.method === "resources/read" ? uri : name;
  return {
    "mcp-protocol-version": version,
    "mcp-method": message.method,
    ...(typeof about === "string" && { "mcp-name": headerValueOf(about) }),
  };
}

/** Encodes a value that a header cannot hold, as the specification says. */
const headerValueOf = (value: string): string =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith("=?base64?")
    ? value
    : `=?base64?${Buffer.from(value).toString("base64")}?=`;

function versionIn(message: JSONRPCMessage): string | undefined {
  const params: unknown = "params" in message ? message.params : undefined;
  const meta = isRecord(params) ? params["_meta"] : undefined;
  const version = isRecord(meta) ? meta["io.modelcontextprotocol/protocolVersion"] : undefined;
  return typeof version === "string" ? version : undefined;
}
