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

/** Holds a redacted file and the placeholders in it. */
export interface FileWithoutValues {
  readonly file: OpenFile;
  readonly placeholders: ReadonlySet<string>;
}

/**
 * Hides known values in a file that is not sensitive: as placeholders where it is text, else blanked out. Afterwards no
 * range and no encoding of it reveals one.
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
  const scan = await scanner.scanFile(file, "known", signal);
  if (scan.redactedFile)
    return {
      file: withRedactedContent(file, scan, scan.redactedFile, scan.redaction),
      placeholders: scan.placeholders,
    };
  const blank = blankValues(bytes, 0, bytes.length, registry);
  const original = { facts, read: file.read, version: versionOf(facts, bytes), bytes };
  return {
    file: { facts, read: sourceOfBytes(blank).read, original },
    placeholders: new Set(spans.map((each) => each.placeholder)),
  };
}

const NONE: ReadonlySet<string> = new Set();

/** Blanks known values in a file that is too large to scan as a whole, part by part when it is read. */
export function blankedFile(file: OpenFile, { registry }: ScanParts): OpenFile {
  const source = sourceOfFile(file);
  const { facts } = file;
  return {
    facts,
    async read(into, position) {
      const from = Math.max(0, position - LIMITS.secretSpanBytes);
      const around = await source.part(from, position - from + into.length + LIMITS.secretSpanBytes);
      return blankValues(around, position - from, position - from + into.length, registry).copy(into);
    },
    original: file.original ?? { facts, read: file.read, version: versionOf(facts, undefined) },
  };
}

/** Returns a range of bytes with every value blanked that lies in it or reaches into it. The length stays the same. */
function blankValues(bytes: Buffer, from: number, to: number, registry: SecretRegistry): Buffer {
  const copy = Buffer.from(bytes);
  for (const { start, end } of mergedSpans(registry.find(bytes.toString("latin1")))) copy.fill(BLANK, start, end);
  return copy.subarray(from, to);
}

const BLANK = "*";
