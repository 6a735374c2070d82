import { normalize } from "../../schema/normalize.ts";
import type { Provider } from "../../schema/providers.ts";
import { isStrict, withoutNulls } from "../../schema/strict.ts";
import type { AgentTool } from "./agent-tool.ts";

/**
 * Returns the tool with a schema that the provider accepts. A schema that cannot be strict falls back to plain OpenAI.
 */
export function normalizeTool(tool: AgentTool, provider: Provider): AgentTool {
  if (provider !== "openai-strict") return { ...tool, parameters: normalize(tool.parameters, provider) };
  const plain = normalize(tool.parameters, "openai");
  const parameters = normalize(plain, provider);
  if (!isStrict(parameters)) return { ...tool, parameters: plain };
  return {
    ...tool,
    parameters,
    strict: true,
    execute: (id, params, ...rest) => tool.execute(id, withoutNulls(plain, params), ...rest),
  };
}
