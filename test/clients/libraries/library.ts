import type { ModelTurn } from "../../examples/endpoint.ts";
import type { Connection } from "../connections.ts";

export type ToolTurn = Extract<ModelTurn, { tool: string }>;

/** A library with which people write agents, or a program that calls tools for them. */
export interface Library {
  readonly name: string;
  /** Makes these calls as a model would, one after the other. Returns what each shows to the model. */
  resultsOf(connection: Connection, turns: readonly ToolTurn[]): Promise<readonly string[]>;
}

/** Makes calls for a library that leaves the loop to the program. */
export async function callInTurn(
  turns: readonly ToolTurn[],
  call: (tool: string, input: Readonly<Record<string, unknown>>) => Promise<unknown>,
): Promise<readonly string[]> {
  const results: string[] = [];
  for (const { tool, input, meanwhile } of turns) {
    await meanwhile?.();
    results.push(wordsIn(await call(tool, { ...input })));
  }
  return results;
}

interface Result {
  readonly content: readonly { readonly text?: string }[];
}

/** Returns the text blocks of a result, which a program shows to its model. */
const wordsIn = (result: unknown): string => (result as Result).content.map(({ text = "" }) => text).join("\n");
