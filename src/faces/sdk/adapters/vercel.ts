import type { JsonSchema } from "../../../schema/listed-schema.ts";
import { type AgentTool, textIn } from "../agent-tool.ts";
import { normalizeTool } from "../normalize-tool.ts";

/** Marks an object as a schema of the AI SDK, as its own `jsonSchema()` does. */
const SCHEMA_SYMBOL: unique symbol = Symbol.for("vercel.ai.schema");

export interface VercelTool {
  readonly description: string;
  readonly inputSchema: VercelSchema;
  /** Rejects with an error whose message is for the model. */
  execute(input: unknown, options: VercelCall): Promise<string>;
}

/** A JSON Schema that also implements Standard Schema, as the types of the AI SDK require. */
export interface VercelSchema {
  readonly jsonSchema: JsonSchema;
  readonly validate: undefined;
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    /** Accepts everything: the tool validates its arguments itself. */
    // oxlint-disable-next-line typescript/no-explicit-any -- The AI SDK infers the arguments of a tool from here.
    validate(value: unknown): { readonly value: any };
    readonly jsonSchema: { input(): Record<string, unknown>; output(): Record<string, unknown> };
  };
}

interface VercelCall {
  readonly toolCallId: string;
  readonly abortSignal?: AbortSignal | undefined;
}

/**
 * Converts tools for `generateText` and `streamText` of Vercel's AI SDK, keyed by name. Answers name media by MIME type
 * instead of including them.
 */
export const toVercelTools = (tools: readonly AgentTool[]): Record<string, VercelTool> =>
  Object.fromEntries(
    tools.map((tool) => {
      const { name, description, parameters, execute } = normalizeTool(tool, "generic");
      return [
        name,
        {
          description,
          inputSchema: schemaOf(parameters),
          execute: async (input, { toolCallId, abortSignal }) => textIn(await execute(toolCallId, input, abortSignal)),
        } satisfies VercelTool,
      ];
    }),
  );

const schemaOf = (parameters: JsonSchema): VercelSchema & { readonly [SCHEMA_SYMBOL]: true } => ({
  [SCHEMA_SYMBOL]: true,
  jsonSchema: parameters,
  validate: undefined,
  "~standard": {
    version: 1,
    vendor: "holdfast",
    validate: (value) => ({ value }),
    jsonSchema: { input: () => ({ ...parameters }), output: () => ({ ...parameters }) },
  },
});
