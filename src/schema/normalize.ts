import { Fault } from "../base/errors.ts";
import type { JsonSchema } from "./listed.ts";
import { type Provider, PROVIDERS } from "./providers.ts";

/** The schema as a provider takes it. Whatever was valid is valid still; in strict mode, null stands for what is absent. */
export function normalize(schema: JsonSchema, provider: Provider): JsonSchema {
  if (!Object.hasOwn(PROVIDERS, provider)) {
    const known = Object.keys(PROVIDERS).join(", ");
    throw new Fault("invalid_input", `Cannot rewrite for ${JSON.stringify(provider)}: the providers are ${known}`);
  }
  return PROVIDERS[provider].reduce<JsonSchema>((rewritten, rewrite) => rewrite(rewritten), schema);
}
