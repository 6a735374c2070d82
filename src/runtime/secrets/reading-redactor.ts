import { Fault } from "../../base/errors.ts";
import type { Cancellation } from "../../base/time-slicing.ts";
import type { OpenFile } from "../../storage/storage.ts";
import type { Tool } from "../../tools/tool.ts";
import { withRedactedContent } from "../../workspace/read/redacted-file.ts";
import { type CallRedactor, noRedaction, type RedactionParts, sensitivityOf } from "./call-redactor.ts";
import { blankedFile, withoutKnownValues } from "./known-values.ts";
import { queryByPlaceholder } from "./placeholder-query.ts";
import { withoutSecrets, withPlaceholderNote } from "./redact-answer.ts";
import type { FreshScan } from "./scanner.ts";

/** Shows a tool that only reads redacted files, so that no range, search or encoding reveals a value. */
export function readingRedactor(parts: RedactionParts, signal: Cancellation, tool: Tool): CallRedactor {
  const { registry, scanner } = parts;
  // A redacted file holds no value that was known by then: the answer is scanned again only if more became known.
  let sizeWhenRedacted: number | undefined;
  let isAllRedacted = true;
  let isEncoded = false;
  const files = new Set<string>();
  const encoded = new Set<string>();
  const withoutKnown = async (file: OpenFile): Promise<OpenFile> => {
    isAllRedacted = false;
    if (!(tool.encodes ?? tool.showsExcerpts) || registry.size() === 0) return file;
    if (!scanner.redactsKnownValues(file)) return isEncoded ? blankedFile(file, parts) : file;
    const hidden = await withoutKnownValues(file, parts, signal);
    if (hidden.placeholders.size > 0) files.add(file.facts.path);
    hidden.placeholders.forEach((placeholder) => encoded.add(placeholder));
    return hidden.file;
  };
  return {
    ...noRedaction,
    restorePlaceholders(input) {
      isEncoded = tool.encodes?.(input) ?? false;
      return input;
    },
    async redactedFile(file, spelled) {
      const sensitivity = sensitivityOf(parts, file, spelled);
      if (sensitivity === undefined) return withoutKnown(file);
      isAllRedacted &&= scanner.redactsKnownValues(file);
      const found = await scanner.scanFile(file, sensitivity, signal);
      if (found.values.size > 0) files.add(file.facts.path);
      sizeWhenRedacted ??= registry.size();
      found.placeholders.forEach((placeholder) => encoded.add(placeholder));
      if (!found.redactedFile && sensitivity === "anything") return withoutKnown(file);
      const shown = requireRedactedFile(file, found);
      return isEncoded && !scanner.redactsKnownValues(file) ? blankedFile(shown, parts) : shown;
    },
    isSensitive: (place) => parts.places.sensitivityOf(place) !== undefined,
    rewriteQuery: (query) => queryByPlaceholder(query, registry),
    redactResult(result) {
      if (registry.size() === 0) return result;
      const isDone = isAllRedacted && sizeWhenRedacted === registry.size();
      const shown = isDone ? result : withoutSecrets(result, registry, NONE);
      return withPlaceholderNote(shown, registry, {
        reported: parts.reported,
        files,
        encoded: isEncoded ? encoded : NONE,
      });
    },
  };
}

const NONE: ReadonlySet<string> = new Set();

function requireRedactedFile(file: OpenFile, scan: FreshScan): OpenFile {
  const { redactedFile, redaction } = scan;
  if (redactedFile) return withRedactedContent(file, scan, redactedFile, redaction);
  throw new Fault("denied", "Cannot show it: it holds keys and is not text, so that nothing in it can be hidden", {
    hint: "Move or copy it without reading it, or ask the user",
  });
}
