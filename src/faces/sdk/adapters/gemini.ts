import type { JsonSchema } from "../../../schema/listed.ts";
import type { AgentTool } from "../agent-tool.ts";
import { normalizeTool } from "../normalize-tool.ts";

/** For `functionDeclarations`. */
export interface GeminiDeclaration {
  readonly name: string;
  readonly description: string;
  /** Absent where there is nothing to say: Gemini takes no object without properties. */
  readonly parameters?: JsonSchema;
}

/** What the SDK of Gemini declares; calls go to the `execute` of the tools. */
export const toGeminiDeclarations = (tools: readonly AgentTool[]): GeminiDeclaration[] =>
  tools.map((tool) => {
    const { name, description, parameters } = normalizeTool(tool, "gemini");
    const isEmpty = Object.keys(parameters["properties"] as object).length === 0;
    return { name, description, ...(!isEmpty && { parameters }) };
  });
