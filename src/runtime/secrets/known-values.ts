import { LIMITS } from "../../base/limits.ts";
import type { Cancellation } from "../../base/time-slicing.ts";
import { versionOf } from "../../base/version.ts";
import type { OpenFile } from "../../storage/storage.ts";
import { withRedactedContent } from "../../workspace/read/redacted-file.ts";
import { sourceOfBytes, sourceOfFile } from "../../workspace/read/scan.ts";
import type { SecretScanner } from "./scanner.ts";
import { mergedSpans, type SecretRegistry } from "./registry.ts";

interface ScanParts {
  readonly registry: SecretRegistry;
  readonly scanner: SecretScanner;
}

/** A file, and the handles that stand in it for values. */
export interface FileWithoutValues {
  readonly file: OpenFile;
  readonly placeholders: ReadonlySet<string>;
}

/**
 * A file that nobody takes for one with secrets, without the values that are known: as handles where it is text, else
 * blanked out. Afterwards no range and no encoding of it gives one away.
 */
export async function withoutKnownValues(
  file: OpenFile,
  { registry, scanner }: ScanParts,
  signal: Cancellation,
): Promise<FileWithoutValues> {
  const { facts } = file;
  const bytes = await sourceOfFile(file).part(0, facts.size);
  const spans = registry.find(bytes.toString("latin1"));
  if (spans.length === 0) return { file: { facts, read: sourceOfBytes(bytes).read }, placeholders: NONE };
  const looked = await scanner.scanFile(file, "known", signal);
  if (looked.redactedFile)
    return {
      file: withRedactedContent(file, looked, looked.redactedFile, looked.redaction),
      placeholders: looked.placeholders,
    };
  const blank = blanked(bytes, 0, bytes.length, registry);
  const original = { facts, read: file.read, version: versionOf(facts, bytes), bytes };
  return {
    file: { facts, read: sourceOfBytes(blank).read, original },
    placeholders: new Set(spans.map((each) => each.placeholder)),
  };
}

const NONE: ReadonlySet<string> = new Set();

/** The same for a file that is too large to be looked at as a whole: every part is blanked out when it is read. */
export function blankedFile(file: OpenFile, { registry }: ScanParts): OpenFile {
  const source = sourceOfFile(file);
  const { facts } = file;
  return {
    facts,
    async read(into, position) {
      const from = Math.max(0, position - LIMITS.secretSpanBytes);
      const around = await source.part(from, position - from + into.length + LIMITS.secretSpanBytes);
      return blanked(around, position - from, position - from + into.length, registry).copy(into);
    },
    original: file.original ?? { facts, read: file.read, version: versionOf(facts, undefined) },
  };
}

/** A stretch of bytes without the values that stand in it or reach into it; it stays as long as it is. */
function blanked(bytes: Buffer, from: number, to: number, registry: SecretRegistry): Buffer {
  const copy = Buffer.from(bytes);
  for (const { start, end } of mergedSpans(registry.find(bytes.toString("latin1")))) copy.fill(BLANK, start, end);
  return copy.subarray(from, to);
}

const BLANK = "*";
