import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { responsesWire } from "../../examples/openai-wires.ts";
import { bearer, type Connection } from "../connections.ts";
import type { Agent } from "./agent.ts";

export const codex: Agent = {
  name: "Codex",
  program: "codex",
  wire: {
    ...responsesWire,
    answered: (asked) => codex.results(asked).length,
    streamed: (turn, nth) => responsesWire.streamed(turn, nth).map(inNamespace),
  },
  toolName: (tool) => tool,
  prepare({ home, model, connection }) {
    mkdirSync(join(home, ".codex"));
    writeFileSync(join(home, ".codex", "config.toml"), configOf(model, connection));
    return {
      words: ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "Go on"],
      env: { KEY: "key" },
    };
  },
  results: ({ body }) =>
    (body["input"] as readonly { type: string; output?: unknown }[])
      .filter(({ type }) => type === "function_call_output")
      .map(({ output }) => (typeof output === "string" ? output : JSON.stringify(output))),
};

/** Codex shows the tools of a server to its model as a namespace, and its model names both. */
function inNamespace(event: object | string): object | string {
  const { item } = event as { readonly item?: { readonly type: string } };
  return item?.type === "function_call"
    ? { ...(event as object), item: { ...item, namespace: "mcp__holdfast" } }
    : event;
}

const configOf = (model: string, connection: Connection): string =>
  `model = "model"
model_provider = "test"
[model_providers.test]
name = "test"
base_url = ${JSON.stringify(`${model}/v1`)}
env_key = "KEY"
wire_api = "responses"
[mcp_servers.holdfast]
${serverOf(connection)}`;

function serverOf(connection: Connection): string {
  if (connection.kind === "http")
    return `url = ${JSON.stringify(connection.url)}\nhttp_headers = ${inlineTable(bearer(connection))}\n`;
  const [command, ...args] = connection.argv;
  return `command = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\nenv = ${inlineTable(connection.env)}\n`;
}

const inlineTable = (values: Readonly<Record<string, string>>): string =>
  `{ ${Object.entries(values)
    .map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
    .join(", ")} }`;
