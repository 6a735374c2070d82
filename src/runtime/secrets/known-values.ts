import { LIMITS } from "../../base/limits.ts";
import type { Cancellation } from "../../base/time-slicing.ts";
import { versionOf } from "../../base/version.ts";
import type { OpenFile } from "../../storage/storage.ts";
import { redactedInstead } from "../../workspace/read/redacted-file.ts";
import { sourceOfBytes, sourceOfFile } from "../../workspace/read/scan.ts";
import type { SecretScanner } from "./scan.ts";
import { apartSpans, type SecretRegistry } from "./registry.ts";

interface Kit {
  readonly vault: SecretRegistry;
  readonly look: SecretScanner;
}

/** A file, and the handles that stand in it for values. */
export interface Hidden {
  readonly file: OpenFile;
  readonly handles: ReadonlySet<string>;
}

/**
 * A file that nobody takes for one with secrets, without the values that are known: as handles where it is text, else
 * blanked out. Afterwards no range and no encoding of it gives one away.
 */
export async function withoutKnown(file: OpenFile, { vault, look }: Kit, signal: Cancellation): Promise<Hidden> {
  const { facts } = file;
  const bytes = await sourceOfFile(file).part(0, facts.size);
  const spans = vault.find(bytes.toString("latin1"));
  if (spans.length === 0) return { file: { facts, read: sourceOfBytes(bytes).read }, handles: NONE };
  const looked = await look.file(file, "known", signal);
  if (looked.masked)
    return { file: redactedInstead(file, looked, looked.masked, looked.mask), handles: looked.handles };
  const blank = blanked(bytes, 0, bytes.length, vault);
  const original = { facts, read: file.read, version: versionOf(facts, bytes), bytes };
  return {
    file: { facts, read: sourceOfBytes(blank).read, original },
    handles: new Set(spans.map((each) => each.handle)),
  };
}

const NONE: ReadonlySet<string> = new Set();

/** The same for a file that is too large to be looked at as a whole: every part is blanked out when it is read. */
export function blankedFile(file: OpenFile, { vault }: Kit): OpenFile {
  const source = sourceOfFile(file);
  const { facts } = file;
  return {
    facts,
    async read(into, position) {
      const from = Math.max(0, position - LIMITS.secretReachBytes);
      const around = await source.part(from, position - from + into.length + LIMITS.secretReachBytes);
      return blanked(around, position - from, position - from + into.length, vault).copy(into);
    },
    original: file.original ?? { facts, read: file.read, version: versionOf(facts, undefined) },
  };
}

/** A stretch of bytes without the values that stand in it or reach into it; it stays as long as it is. */
function blanked(bytes: Buffer, from: number, to: number, vault: SecretRegistry): Buffer {
  const copy = Buffer.from(bytes);
  for (const { start, end } of apartSpans(vault.find(bytes.toString("latin1")))) copy.fill(BLANK, start, end);
  return copy.subarray(from, to);
}

const BLANK = "*";
