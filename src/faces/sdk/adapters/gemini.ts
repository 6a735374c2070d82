import type { JsonSchema } from "../../../schema/listed-schema.ts";
import type { AgentTool } from "../agent-tool.ts";
import { normalizeTool } from "../normalize-tool.ts";

/** Fits `functionDeclarations`. */
export interface GeminiDeclaration {
  readonly name: string;
  readonly description: string;
  /** Is absent for a tool without arguments: Gemini rejects an object without properties. */
  readonly parameters?: JsonSchema;
}

/** Converts tools to declarations for the SDK of Gemini. Pass the model's calls to `execute` of the tools. */
export const toGeminiDeclarations = (tools: readonly AgentTool[]): GeminiDeclaration[] =>
  tools.map((tool) => {
    const { name, description, parameters } = normalizeTool(tool, "gemini");
    const isEmpty = Object.keys(parameters["properties"] as object).length === 0;
    return { name, description, ...(!isEmpty && { parameters }) };
  });
