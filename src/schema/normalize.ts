import { Fault } from "../base/errors.ts";
import type { JsonSchema } from "./listed-schema.ts";
import { type Provider, PROVIDERS } from "./providers.ts";

/** Rewrites a schema for a provider. Valid values stay valid. In strict mode, null replaces absent properties. */
export function normalize(schema: JsonSchema, provider: Provider): JsonSchema {
  if (!Object.hasOwn(PROVIDERS, provider)) {
    const known = Object.keys(PROVIDERS).join(", ");
    throw new Fault("invalid_input", `Cannot rewrite for ${JSON.stringify(provider)}: the providers are ${known}`);
  }
  return PROVIDERS[provider].reduce<JsonSchema>((rewritten, rewrite) => rewrite(rewritten), schema);
}
