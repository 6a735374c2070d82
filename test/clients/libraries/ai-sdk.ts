import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";
import { createOpenAI } from "@ai-sdk/openai";
import { stepCountIs, streamText, type ToolSet } from "ai";
import { onTestFinished } from "vitest";
import { bareEnv } from "../../e2e/bin.ts";
import { type Asked, endpointOf } from "../../examples/endpoint.ts";
import { chatWire } from "../../examples/openai-wires.ts";
import { bearer, type Connection } from "../connections.ts";
import type { Library } from "./library.ts";

/** The AI SDK runs the loop of an agent, whose model is an endpoint of ours. */
export const aiSdk: Library = {
  name: "AI SDK",
  async resultsOf(connection, turns) {
    const client = await createMCPClient({ transport: transportOf(connection) });
    onTestFinished(() => client.close());
    const { url, asked } = await endpointOf(chatWire, [...turns, { text: "Done." }]);
    const openai = createOpenAI({ baseURL: `${url}/v1`, apiKey: "key" });
    // Its types of optional properties differ from those that our compiler wants.
    const tools = (await client.tools()) as ToolSet;
    const stopWhen = stepCountIs(turns.length + 1);
    await streamText({ model: openai.chat("model"), tools, stopWhen, prompt: "Go on" }).consumeStream();
    return resultsIn(asked.at(-1) as Asked);
  },
};

function transportOf(connection: Connection) {
  if (connection.kind === "http")
    return { type: "http" as const, url: connection.url, headers: { ...bearer(connection) } };
  const [command, ...args] = connection.argv;
  return new StdioTransport({ command, args, env: bareEnv(connection.env), stderr: "pipe" });
}

const resultsIn = ({ body }: Asked): readonly string[] =>
  (body["messages"] as readonly { role: string; content: string }[])
    .filter(({ role }) => role === "tool")
    .map(({ content }) => content);
