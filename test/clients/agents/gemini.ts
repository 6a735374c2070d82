import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { geminiWire } from "../../examples/gemini-wire.ts";
import { bearer, type Connection } from "../connections.ts";
import type { Agent } from "./agent.ts";

export const gemini: Agent = {
  name: "Gemini CLI",
  program: "gemini",
  wire: { ...geminiWire, answered: (asked) => gemini.results(asked).length },
  toolName: (tool) => `mcp_holdfast_${tool}`,
  prepare({ home, model, connection }) {
    mkdirSync(join(home, ".gemini"));
    const settings = {
      security: { auth: { selectedType: "gemini-api-key" } },
      general: { disableAutoUpdate: true },
      privacy: { usageStatisticsEnabled: false },
      mcpServers: { holdfast: { ...serverOf(connection), trust: true } },
    };
    writeFileSync(join(home, ".gemini", "settings.json"), JSON.stringify(settings));
    return {
      words: ["-p", "Go on", "--approval-mode", "yolo", "-m", "gemini-2.5-pro", "--skip-trust"],
      env: { GEMINI_API_KEY: "key", GOOGLE_GEMINI_BASE_URL: model },
    };
  },
  results: ({ body }) =>
    (body["contents"] as readonly { parts: readonly { functionResponse?: { response: object } }[] }[])
      .flatMap(({ parts }) => parts.flatMap(({ functionResponse }) => functionResponse ?? []))
      .map(({ response }) => Object.values(response).join("\n")),
};

const serverOf = (connection: Connection): object => {
  if (connection.kind === "http") return { httpUrl: connection.url, headers: bearer(connection) };
  const [command, ...args] = connection.argv;
  return { command, args, env: connection.env };
};
