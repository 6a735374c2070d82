import type { Cancellation } from "../../base/time-slicing.ts";
import type { Sensitivity } from "../../text/secrets/assignments.ts";
import { PLACEHOLDER_START } from "../../text/secrets/placeholder.ts";
import type { ParsedInput, Tool } from "../../tools/tool.ts";
import { notRedacted } from "../../workspace/view.ts";
import { type CallRedactor, noRedaction, type RedactionParts, sensitivityOf } from "./call-redactor.ts";
import { createDecodingCheck } from "./decoding-check.ts";
import { egressDecision, newlySensitivePlaces } from "./egress.ts";
import { createEqualLengthTokens } from "./equal-length-tokens.ts";
import { readingRedactor } from "./reading-redactor.ts";
import { mapStrings, mapTexts, redactedText, withoutSecrets, withPlaceholderNote } from "./redact-answer.ts";

/** Shows a tool that changes files their real content. What it answers afterwards is redacted. */
export function changingRedactor(parts: RedactionParts, signal: Cancellation, tool: Tool): CallRedactor {
  const { registry, places, scanner } = parts;
  const tokens = tool.matchesText === true ? createEqualLengthTokens() : undefined;
  const decoding = createDecodingCheck(tool);
  const seen = createSeenValues();
  const restored = new Set<string>();
  const sensitivities = new Map<string, Sensitivity>();
  const restore = (text: string): string => {
    if (!text.includes(PLACEHOLDER_START)) return text;
    seen.carry();
    return registry.restore(text, (value, placeholder) => {
      restored.add(value);
      return tokens?.tokenFor(value, placeholder) ?? value;
    });
  };
  return {
    ...noRedaction,
    restorePlaceholders: (input) =>
      decoding.mayRestore(input) ? (mapStrings(input, restore, PATH_ARGUMENTS) as ParsedInput) : input,
    redactedFile(file, spelled) {
      const sensitivity = sensitivityOf(parts, file, spelled);
      if (sensitivity === undefined) return file;
      sensitivities.set(file.facts.path, sensitivity);
      const scan = scanner.scanFile(file, sensitivity, signal);
      return scan instanceof Promise ? scan.then(({ values }) => seen.add(values, file)) : seen.add(scan.values, file);
    },
    searchableText: (place, text) =>
      tokens?.substitute(text, scanner.findSpans(text, sensitivities.get(place), seen.values())) ?? notRedacted(text),
    // An earlier version of a file can hold secrets where the file does or did.
    onVersionRead: (bytes, place) =>
      seen.isCarrying() || (place !== undefined && sensitivities.has(place))
        ? seen.add(scanner.findInBytes(bytes), undefined)
        : undefined,
    checkEgress(changes) {
      decoding.check(changes);
      return egressDecision(changes, parts, seen.values());
    },
    recordChanges(changes) {
      const targets = changes.flatMap((change) => newlySensitivePlaces(change, places, seen.isCarrying()));
      for (const place of targets) places.add(place);
      // A file of credentials is scanned by names, which finds a short value; elsewhere it has to be known.
      if (targets.some((place) => places.sensitivityOf(place) !== "credentials"))
        restored.forEach(registry.markWritten);
    },
    redactPreview: <Shown>(shown: Shown) =>
      mapStrings(shown, (text) => redactedText(text, registry, seen.values())) as Shown,
    redactResult(result) {
      const named = tokens ? mapTexts(result, tokens.withPlaceholders) : result;
      const files = seen.values().size > 0 ? sensitivities.keys() : [];
      const redacted = withoutSecrets(named, registry, seen.values());
      return withPlaceholderNote(redacted, registry, { reported: parts.reported, files });
    },
  };
}

/** Collects the values that a call has seen. A call carries secrets once it has seen a value or restored one. */
function createSeenValues() {
  let all: ReadonlySet<string> = new Set();
  let isCarrying = false;
  return {
    values: () => all,
    isCarrying: () => isCarrying,
    carry: () => void (isCarrying = true),
    add<T>(values: ReadonlySet<string>, then: T): T {
      all = new Set([...all, ...values]);
      isCarrying ||= values.size > 0;
      return then;
    },
  };
}

/** Shows a tool that reaches beyond the files redacted files, and restores no placeholder: the value would leave. */
export function outwardRedactor(parts: RedactionParts, signal: Cancellation, tool: Tool): CallRedactor {
  const { redactedFile, onVersionRead, restorePlaceholders } = readingRedactor(parts, signal, tool);
  return { ...changingRedactor(parts, signal, tool), redactedFile, onVersionRead, restorePlaceholders };
}

/** Lists arguments in which no placeholder is restored: a secret must not become the name of a file, which is shown. */
const PATH_ARGUMENTS: ReadonlySet<string> = new Set(["path", "paths", "source", "destination"]);
