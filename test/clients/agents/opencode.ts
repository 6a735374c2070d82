import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { chatWire } from "../../examples/openai-wires.ts";
import { bearer, type Connection } from "../connections.ts";
import type { Agent } from "./agent.ts";

export const opencode: Agent = {
  name: "opencode",
  program: "opencode",
  wire: { ...chatWire, answered: (asked) => opencode.results(asked).length },
  toolName: (tool) => `holdfast_${tool}`,
  prepare({ directory, model, connection }) {
    const config = { provider: { test: providerAt(model) }, mcp: { holdfast: serverOf(connection) } };
    writeFileSync(join(directory, "opencode.json"), JSON.stringify(config));
    return {
      words: ["run", "Go on", "--title", "Test", "--model", "test/model"],
      env: {
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
        OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      },
    };
  },
  results: ({ body }) =>
    (body["messages"] as readonly { role: string; content: string }[])
      .filter(({ role }) => role === "tool")
      .map(({ content }) => content),
};

const providerAt = (model: string): object => ({
  npm: "@ai-sdk/openai-compatible",
  options: { baseURL: `${model}/v1`, apiKey: "key" },
  models: { model: { tool_call: true } },
});

const serverOf = (connection: Connection): object =>
  connection.kind === "http"
    ? { type: "remote", url: connection.url, headers: bearer(connection) }
    : { type: "local", command: connection.argv, environment: connection.env };
