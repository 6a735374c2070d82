import { mapStrings, someString } from "../../base/json.ts";
import type { Cancellation } from "../../base/time-slicing.ts";
import type { Sensitivity } from "../../text/secrets/assignments.ts";
import { hasPlaceholder } from "../../text/secrets/placeholder.ts";
import type { ParsedInput, Tool } from "../../tools/tool.ts";
import { notRedacted } from "../../workspace/view.ts";
import { type CallRedactor, noRedaction, type RedactionParts, sensitivityOf } from "./call-redactor.ts";
import { placeholderInEncodedContent, requireNoPlaceholders } from "./decoding-check.ts";
import { egressDecision, newlySensitivePlaces } from "./egress.ts";
import { createEqualLengthTokens } from "./equal-length-tokens.ts";
import { readingRedactor } from "./reading-redactor.ts";
import { withSecretArguments } from "./secret-arguments.ts";
import { mapTexts, redactedText, withoutSecrets, withPlaceholderNote } from "./redact-answer.ts";

/** Shows a tool that changes files their real content. What it answers afterwards is redacted. */
export function changingRedactor(parts: RedactionParts, signal: Cancellation, tool: Tool): CallRedactor {
  const { registry, places, scanner } = parts;
  const tokens = tool.matchesText === true ? createEqualLengthTokens() : undefined;
  let isDecoding = false;
  let seen: ReadonlySet<string> = new Set();
  let hasRestored = false;
  const carriesSecrets = (): boolean => hasRestored || seen.size > 0;
  const restored = new Set<string>();
  const sensitivities = new Map<string, Sensitivity>();
  const restore = (text: string): string => {
    if (!hasPlaceholder(text)) return text;
    hasRestored = true;
    return registry.restore(text, (value, placeholder) => {
      restored.add(value);
      return tokens?.tokenFor(value, placeholder) ?? value;
    });
  };
  return {
    ...noRedaction,
    restorePlaceholders(input) {
      isDecoding = tool.decodes?.(input) ?? false;
      if (!someString(input, hasPlaceholder)) return input;
      if (isDecoding) throw placeholderInEncodedContent();
      return mapStrings(input, restore, PATH_ARGUMENTS) as ParsedInput;
    },
    async redactedFile(file, spelled) {
      const sensitivity = sensitivityOf(parts, file, spelled);
      if (sensitivity === undefined) return file;
      sensitivities.set(file.facts.path, sensitivity);
      const { values } = await scanner.scanFile(file, sensitivity, signal);
      seen = new Set([...seen, ...values]);
      return file;
    },
    searchableText: (place, text) =>
      tokens?.substitute(text, scanner.findSpans(text, sensitivities.get(place), seen)) ?? notRedacted(text),
    // An earlier version of a file can hold secrets where the file does or did.
    onVersionRead(bytes, place) {
      if (!carriesSecrets() && (place === undefined || !sensitivities.has(place))) return;
      seen = new Set([...seen, ...scanner.findInBytes(bytes)]);
    },
    checkEgress(changes) {
      if (isDecoding) requireNoPlaceholders(changes);
      return egressDecision(changes, parts, seen);
    },
    recordChanges(changes) {
      const targets = changes.flatMap((change) => newlySensitivePlaces(change, places, carriesSecrets()));
      for (const place of targets) places.add(place);
      // A file of credentials is scanned by names, which finds a short value; elsewhere it has to be known.
      if (targets.some((place) => places.sensitivityOf(place) !== "credentials"))
        restored.forEach(registry.markWritten);
    },
    redactPreview: <Shown>(shown: Shown) => mapStrings(shown, (text) => redactedText(text, registry, seen)) as Shown,
    redactResult(result) {
      if (registry.size() === 0) return result;
      const named = tokens ? mapTexts(result, tokens.withPlaceholders) : result;
      const files = seen.size > 0 ? sensitivities.keys() : [];
      return withPlaceholderNote(withoutSecrets(named, registry, seen), registry, { reported: parts.reported, files });
    },
  };
}

/**
 * Shows a tool that reaches beyond the files redacted files, and restores placeholders only where the tool asks for
 * that: elsewhere the value would leave.
 */
export function outwardRedactor(parts: RedactionParts, signal: Cancellation, tool: Tool): CallRedactor {
  const { redactedFile, onVersionRead, restorePlaceholders } = readingRedactor(parts, signal, tool);
  const changing = changingRedactor(parts, signal, tool);
  return {
    ...changing,
    redactedFile,
    onVersionRead,
    restorePlaceholders: (input) => withSecretArguments(restorePlaceholders(input), tool, parts.registry),
    redactResult(result) {
      const { output, diff } = result.data;
      const shown = [output, diff].filter((text) => typeof text === "string");
      if (!tool.showsOutput || shown.length === 0) return changing.redactResult(result);
      const found = parts.scanner.findInOutput(shown.join("\n"));
      return changing.redactResult(withoutSecrets(result, parts.registry, found));
    },
  };
}

/** Lists arguments in which no placeholder is restored: a secret must not become the name of a file, which is shown. */
const PATH_ARGUMENTS: ReadonlySet<string> = new Set(["path", "paths", "source", "destination"]);
