import { ChatAnthropic } from "@langchain/anthropic";
import { type BaseMessage, HumanMessage, type ToolCall, ToolMessage } from "@langchain/core/messages";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { onTestFinished } from "vitest";
import { bareEnv } from "../../e2e/bin.ts";
import { anthropicWire } from "../../examples/anthropic-wire.ts";
import { type Asked, endpointOf } from "../../examples/endpoint.ts";
import { bearer, type Connection } from "../connections.ts";
import type { Library } from "./library.ts";

/** LangChain's adapters make tools of ours, for a model that is an endpoint of ours. */
export const langChain: Library = {
  name: "LangChain adapters",
  async resultsOf(connection, turns) {
    const client = new MultiServerMCPClient({ mcpServers: { holdfast: serverOf(connection) } });
    onTestFinished(() => client.close());
    const { url, asked } = await endpointOf(anthropicWire, [...turns, { text: "Done." }]);
    const tools = await client.getTools();
    const model = new ChatAnthropic({ model: "model", apiKey: "key", anthropicApiUrl: url, streaming: true });
    const messages: BaseMessage[] = [new HumanMessage("Go on")];
    for (;;) {
      const reply = await model.bindTools(tools).invoke(messages);
      messages.push(reply);
      if (!reply.tool_calls?.length) return resultsIn(asked.at(-1) as Asked);
      for (const call of reply.tool_calls) messages.push(await resultOf(call, tools));
    }
  },
};

type Tools = Awaited<ReturnType<MultiServerMCPClient["getTools"]>>;

/** A tool throws its error, which agents of LangChain show to the model. */
async function resultOf(call: ToolCall, tools: Tools): Promise<ToolMessage> {
  const tool = tools.find(({ name }) => name === call.name);
  try {
    return (await tool?.invoke({ ...call, type: "tool_call" })) as ToolMessage;
  } catch (error) {
    return new ToolMessage({ tool_call_id: call.id ?? "", content: String(error), status: "error" });
  }
}

function serverOf(connection: Connection) {
  if (connection.kind === "http")
    return { transport: "http" as const, url: connection.url, headers: { ...bearer(connection) } };
  const [command, ...args] = connection.argv;
  return { transport: "stdio" as const, command, args, env: bareEnv(connection.env), stderr: "pipe" as const };
}

const resultsIn = ({ body }: Asked): readonly string[] =>
  (body["messages"] as readonly { content: string | readonly { type: string; content: string }[] }[])
    .flatMap(({ content }) => (typeof content === "string" ? [] : content))
    .filter(({ type }) => type === "tool_result")
    .map(({ content }) => content);
