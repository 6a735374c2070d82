import { onTestFinished } from "vitest";
import { createApp } from "../../../src/app/app.ts";
import type { Options } from "../../../src/app/options.ts";
import { openServerState } from "../../../src/app/server-state.ts";
import { createHttpServer, type HttpOptions } from "../../../src/faces/http/server.ts";
import { openPersonApp } from "../../../src/faces/cli/person-app.ts";
import { LOOPBACK_HOSTS } from "../../../src/faces/http/host-check.ts";
import type { RequestLog } from "../../../src/faces/http/face.ts";
import { stateBeside } from "../../runtime/scratch.ts";

export const ORIGIN = "http://127.0.0.1:4747";
export const OPERATOR_KEY = "operator-key";

/** The server of `holdfast up` without its port, on a scratch workspace. */
export async function served(root: string, more: Partial<HttpOptions> = {}, options: Partial<Options> = {}) {
  const given = { roots: [root], stateDirectory: stateBeside(root), ...options };
  const account = (name: string, own: Partial<Options> = {}) => ({
    name,
    app: createApp({ ...given, ...own }),
    options: { ...given, ...own },
  });
  const own = account("default");
  const { tokens } = openServerState(given);
  const personIn = (roots: readonly string[]) => openPersonApp({ ...given, roots }, () => {});
  const person = personIn([root, "/"]);
  const logged: Parameters<RequestLog>[0][] = [];
  const server = createHttpServer({
    accounts: [own],
    tokens,
    names: { hosts: LOOPBACK_HOSTS, scheme: "http" },
    publicUrl: ORIGIN,
    person: { everything: () => person, within: async (roots) => personIn(roots), who: "tester" },
    operatorKey: OPERATOR_KEY,
    log: (event) => void logged.push(event),
    warn: () => {},
    ...more,
  });
  onTestFinished(async () => {
    await server.close();
    await person.close();
  });
  const token = await tokens.of("default");
  return { ...server, server, tokens, token, own, person, logged };
}

/** A request as a client on this machine sends it. */
export const request = (path: string, init: RequestInit = {}): Request =>
  new Request(ORIGIN + path, { ...init, headers: { host: "127.0.0.1:4747", ...(init.headers as object) } });

/** A POST to the MCP endpoint. */
export const post = (body: unknown, headers: Readonly<Record<string, string>> = {}): Request =>
  request("/mcp", {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
  });

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

/** Returns the JSON-RPC message of a response, whichever form it has. */
export async function messageOf(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text();
  const data = text.startsWith("{") ? text : /^data: (\{.*)$/m.exec(text)?.[1];
  return JSON.parse(data ?? "null") as Record<string, unknown>;
}
