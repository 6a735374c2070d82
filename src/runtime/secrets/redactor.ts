import { LIMITS } from "../../base/limits.ts";
import type { Cancellation } from "../../base/time-slicing.ts";
import type { SecretsMode } from "../../base/verdicts.ts";
import type { SafePath } from "../../storage/storage.ts";
import { holdsSecret } from "../../text/secrets/assignments.ts";
import type { Tool } from "../../tools/tool.ts";
import { type CallRedactor, noRedaction, type RedactionParts } from "./call-redactor.ts";
import { changingRedactor, outwardRedactor } from "./changing-redactor.ts";
import { readingRedactor } from "./reading-redactor.ts";
import { redactedText, type ReportedPlaceholders } from "./redact-answer.ts";
import { createSecretRegistry } from "./registry.ts";
import { createSecretScanner } from "./scanner.ts";
import { createSensitivePlaces } from "./sensitive-places.ts";

/** Hides the values of secrets from callers of tools, who work with placeholders instead. */
export interface SecretRedactor {
  /** Creates the redactor of one call. `reported` holds the placeholders that its session knows already. */
  forCall(tool: Tool, signal: Cancellation, reported: ReportedPlaceholders): CallRedactor;
  /** Replaces all known values in a text. */
  redactText(text: string): string;
}

export interface RedactorOptions {
  readonly mode: SecretsMode;
  /** Lists names whose values are secret, whatever they look like. */
  readonly names: readonly string[];
  readonly roots: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function createSecretRedactor(options: RedactorOptions): SecretRedactor {
  if (options.mode === "off") return { forCall: () => noRedaction, redactText: (text) => text };
  const registry = createSecretRegistry();
  for (const [name, value] of environmentSecrets(options)) registry.placeholderFor(value, name.toUpperCase());
  const shared = {
    registry,
    places: createSensitivePlaces(options),
    scanner: createSecretScanner(registry, options.names),
  };
  return {
    forCall(tool, signal, reported) {
      const { openWorldHint, readOnlyHint } = tool.annotations;
      const create = openWorldHint ? outwardRedactor : readOnlyHint ? readingRedactor : changingRedactor;
      return {
        ...create({ ...shared, reported }, signal, tool),
        uncuttableRanges: (text) => registry.find(text),
        noteDocumentText: (place, text) => registerSecrets(shared, place, text),
      };
    },
    redactText: (text) => redactedText(text, registry),
  };
}

/** Makes secrets of a text known, where they are hidden in its place: the answer then shows placeholders. */
function registerSecrets(
  { places, scanner }: Pick<RedactionParts, "places" | "scanner">,
  place: SafePath,
  text: string,
) {
  const sensitivity = places.sensitivityOf(place);
  if (sensitivity !== undefined) scanner.findSpans(text, sensitivity, new Set());
}

const environmentSecrets = ({ env, names }: RedactorOptions): readonly (readonly [string, string])[] =>
  Object.entries(env).flatMap(([name, value = ""]) => {
    const isSecret = names.includes(name) || holdsSecret(name, value);
    return isSecret && value.length >= LIMITS.secretChars ? [[name, value] as const] : [];
  });
