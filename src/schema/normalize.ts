import type { JsonSchema } from "./listed.ts";
import { type Provider, PROVIDERS } from "./providers.ts";

/** The schema as a provider takes it. Whatever was valid is valid still; in strict mode, null stands for what is absent. */
export const normalize = (schema: JsonSchema, provider: Provider): JsonSchema =>
  PROVIDERS[provider].reduce<JsonSchema>((rewritten, rewrite) => rewrite(rewritten), schema);
