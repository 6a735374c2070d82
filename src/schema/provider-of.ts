import type { Provider } from "./providers.ts";

/** Maps names of providers and models to the schema rules to use. The first match wins. */
const KNOWN: readonly (readonly [RegExp, Provider])[] = [
  [/anthropic|claude/, "anthropic"],
  [/google|gemini|vertex/, "gemini"],
  [/\bx-?ai\b|grok/, "xai"],
  [/openai|azure|codex|\bgpt/, "openai"],
];

/** Returns the provider for a model. Unknown ones get "generic". */
export function providerOf(modelProvider = "", modelId = ""): Provider {
  const name = `${modelProvider}/${modelId}`.toLowerCase();
  return KNOWN.find(([pattern]) => pattern.test(name))?.[1] ?? "generic";
}
