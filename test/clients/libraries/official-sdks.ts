import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { onTestFinished } from "vitest";
import { bareEnv } from "../../e2e/bin.ts";
import { bearer, type Connection } from "../connections.ts";
import { callInTurn, type Library } from "./library.ts";

const WHO = { name: "holdfast-test", version: "1" };

/** The official client of the first generation. It validates what it is sent by the schemas that it has listed. */
export const sdk1: Library = {
  name: "SDK v1",
  async resultsOf(connection, turns) {
    const client = new ClientV1(WHO);
    onTestFinished(() => client.close());
    await client.connect(
      connection.kind === "http"
        ? new HttpV1(new URL(connection.url), { requestInit: { headers: { ...bearer(connection) } } })
        : new StdioV1(processOf(connection)),
    );
    await client.listTools();
    return callInTurn(turns, (name, input) => client.callTool({ name, arguments: input }));
  },
};

/** The official client of the second generation, with the revision of 2026. */
export const sdk2: Library = {
  name: "SDK v2",
  async resultsOf(connection, turns) {
    const client = new Client(WHO, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    onTestFinished(() => client.close());
    await client.connect(
      connection.kind === "http"
        ? new StreamableHTTPClientTransport(new URL(connection.url), {
            requestInit: { headers: { ...bearer(connection) } },
          })
        : new StdioClientTransport(processOf(connection)),
    );
    await client.listTools();
    return callInTurn(turns, (name, input) => client.callTool({ name, arguments: input }));
  },
};

function processOf({ argv: [command, ...args], env }: Extract<Connection, { kind: "stdio" }>) {
  return { command, args, env: bareEnv(env), stderr: "pipe" as const };
}
