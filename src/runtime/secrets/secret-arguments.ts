import { Fault } from "../../base/errors.ts";
import { mapStrings, someString } from "../../base/json.ts";
import { hasPlaceholder, PLACEHOLDERS } from "../../text/secrets/placeholder.ts";
import type { ParsedInput, Tool } from "../../tools/tool.ts";
import type { SecretRegistry } from "./registry.ts";

/** Gives a tool that reaches beyond the files values for placeholders, in those of its arguments that take them. */
export function withSecretArguments(input: ParsedInput, tool: Tool, registry: SecretRegistry): ParsedInput {
  const { name, secretArguments = [] } = tool;
  if (secretArguments.length === 0 || !someString(input, hasPlaceholder)) return input;
  const restored = Object.entries(input).map(([argument, value]) => {
    if (secretArguments.includes(argument)) return [argument, mapStrings(value, (text) => restore(text, registry))];
    if (someString(value, (text) => isKnownIn(text, registry))) throw placeholderElsewhere(name, argument);
    return [argument, value];
  });
  return Object.fromEntries(restored) as ParsedInput;
}

/** Makes every value known wherever it stands alone, so that no output shows it, however short it is. */
const restore = (text: string, registry: SecretRegistry): string =>
  registry.restore(text, (value) => {
    registry.markWritten(value);
    return value;
  });

const isKnownIn = (text: string, registry: SecretRegistry): boolean =>
  [...text.matchAll(PLACEHOLDERS)].some(([placeholder]) => registry.has(placeholder));

const placeholderElsewhere = (tool: string, argument: string): Fault =>
  new Fault("invalid_input", `Cannot call "${tool}": "${argument}" contains the placeholder of a secret`, {
    argument,
    hint: 'Pass it as a variable, env: { "TOKEN": "<the placeholder>" }, and use "$TOKEN" in the command',
  });
