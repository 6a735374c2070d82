// Counts the tokens that a server's tools cost in every conversation.
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

/** Counts the tokens (o200k) of what a model sees: names, descriptions and input schemas, as compact JSON. */
export const tokensShown = (tools) =>
  countTokens(JSON.stringify(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))));
