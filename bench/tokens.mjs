// What a server's tools cost in every conversation they are offered in.
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

/** Tokens (o200k) of what a model is shown: names, descriptions and input schemas, as compact JSON. */
export const tokensShown = (tools) =>
  countTokens(JSON.stringify(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))));
