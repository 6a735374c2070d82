import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { anthropicWire } from "../../examples/anthropic-wire.ts";
import { bearer, type Connection } from "../connections.ts";
import type { Agent } from "./agent.ts";

export const claude: Agent = {
  name: "Claude Code",
  program: "claude",
  wire: { ...anthropicWire, path: "/v1/messages?beta=true", answered: (asked) => claude.results(asked).length },
  toolName: (tool) => `mcp__holdfast__${tool}`,
  prepare({ home, model, connection }) {
    const config = join(home, "mcp.json");
    writeFileSync(config, JSON.stringify({ mcpServers: { holdfast: serverOf(connection) } }));
    return {
      words: ["-p", "Go on", "--mcp-config", config, "--strict-mcp-config", "--allowedTools", "mcp__holdfast"],
      env: { ANTHROPIC_BASE_URL: model, ANTHROPIC_API_KEY: "key", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" },
    };
  },
  results: ({ body }) =>
    (body["messages"] as readonly { content: string | readonly { type: string; content: string }[] }[])
      .flatMap(({ content }) => (typeof content === "string" ? [] : content))
      .filter(({ type }) => type === "tool_result")
      .map(({ content }) => content),
};

const serverOf = (connection: Connection): object => {
  if (connection.kind === "http") return { type: "http", url: connection.url, headers: bearer(connection) };
  const [command, ...args] = connection.argv;
  return { command, args, env: connection.env };
};
