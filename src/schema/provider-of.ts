import type { Provider } from "./providers.ts";

/** Whose rules hold for a model, by what people call its provider or itself; the first that fits. */
const KNOWN: readonly (readonly [RegExp, Provider])[] = [
  [/anthropic|claude/, "anthropic"],
  [/google|gemini|vertex/, "gemini"],
  [/\bx-?ai\b|grok/, "xai"],
  [/openai|azure|codex|\bgpt/, "openai"],
];

/** Of whom nobody knows anything, the rules of all hold. */
export function providerOf(modelProvider = "", modelId = ""): Provider {
  const name = `${modelProvider}/${modelId}`.toLowerCase();
  return KNOWN.find(([pattern]) => pattern.test(name))?.[1] ?? "generic";
}
