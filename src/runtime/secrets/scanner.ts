import { LIMITS } from "../../base/limits.ts";
import { type Checkpoint, type Cancellation, createCheckpoint } from "../../base/time-slicing.ts";
import type { Version } from "../../base/version.ts";
import type { OpenFile } from "../../storage/storage.ts";
import type { Sensitivity } from "../../text/secrets/assignments.ts";
import type { SecretSpan } from "../../text/secrets/secret-formats.ts";
import { findSecrets, type FoundSecrets } from "../../text/secrets/redact.ts";
import { type Redaction, type RedactedFile, type PlainFile, plainFile } from "../../workspace/read/redacted-file.ts";
import { printedSecrets } from "./printed-secrets.ts";
import { type RedactedSpan, partsBetween, type SecretRegistry } from "./registry.ts";

/** Holds what was found in one version of a file. */
export interface ScanResult {
  readonly version: Version;
  /** Holds the redacted content; undefined where the file is not text. */
  readonly redactedFile: RedactedFile | undefined;
  /** Lists the secrets in it. */
  readonly values: ReadonlySet<string>;
  /** Lists everything that is shown instead of a value. */
  readonly placeholders: ReadonlySet<string>;
  readonly redaction: Redaction;
}

/** Adds the bytes of a file that was just read, where it is small. */
export interface FreshScan extends ScanResult {
  readonly bytes: Buffer | undefined;
}

/** Limits a scan to known values, or says how to find others by what looks like a secret. */
export type ScanScope = Sensitivity | "known";

export interface SecretScanner {
  scanFile(file: OpenFile, scope: ScanScope, signal: Cancellation): Promise<FreshScan>;
  /** Returns true where a scan hides all known values, not only those found in the file itself. */
  redactsKnownValues(file: OpenFile): boolean;
  /** Finds known values in a text and, with a sensitivity, others that look like secrets. */
  findSpans(text: string, sensitivity: Sensitivity | undefined, values: ReadonlySet<string>): readonly RedactedSpan[];
  /** Returns the secrets in bytes of a sensitive file. */
  findInBytes(bytes: Uint8Array): ReadonlySet<string>;
  /** Returns the secrets in what a program printed. */
  findInOutput(text: string): ReadonlySet<string>;
}

/** Scans files for secrets, adds them to the registry, and caches the results for small files, dropping the oldest. */
export function createSecretScanner(registry: SecretRegistry, names: readonly string[]): SecretScanner {
  const cache = new Map<string, ScanResult>();
  const isNamed = (name: string): boolean => names.includes(name);
  const secretsIn = (lines: Buffer, scope: ScanScope, startsInPrivateKey?: boolean): FoundSecrets =>
    scope === "known"
      ? NO_SECRETS
      : findSecrets(lines.toString("latin1"), { sensitivity: scope, isSecretName: isNamed }, startsInPrivateKey);
  const redactionInto = (values: Set<string>, placeholders: Set<string>, scope: ScanScope, isSmall: boolean) =>
    redactionOf({ registry, secretsIn }, { values, placeholders, scope, isSmall });
  // The size of the registry is part of the key: what is hidden in a file depends on the values known by now.
  const keyOf = (version: Version, scope: ScanScope): string => `${version}:${scope}:${registry.size()}`;
  const scanState = async (
    { version, redact }: PlainFile,
    scope: ScanScope,
    isSmall: boolean,
    checkpoint: Checkpoint,
  ) => {
    const values = new Set<string>();
    const placeholders = new Set<string>();
    const redaction = redactionInto(values, placeholders, scope, isSmall);
    const scan: ScanResult = {
      version,
      redactedFile: await redact(redaction, checkpoint),
      values,
      placeholders,
      redaction,
    };
    if (isSmall) cacheScan(cache, keyOf(version, scope), scan);
    return scan;
  };
  return {
    async scanFile(file, scope, signal) {
      const state = await plainFile(file);
      const cached = cache.get(keyOf(state.version, scope));
      const scan = cached ?? (await scanState(state, scope, isSmallEnoughToScan(file), createCheckpoint(signal)));
      return { ...scan, bytes: state.bytes };
    },
    redactsKnownValues: isSmallEnoughToScan,
    findSpans(text, sensitivity, values) {
      const found = sensitivity === undefined ? [] : findSecrets(text, { sensitivity, isSecretName: isNamed }).spans;
      const hidden = found.map(({ start, end, label }) => {
        return { start, end, placeholder: registry.placeholderFor(text.slice(start, end), label) };
      });
      return [...hidden, ...registry.find(text, values)];
    },
    findInBytes(bytes) {
      const values = new Set<string>();
      redactionInto(values, new Set(), "credentials", true).redactLines(Buffer.from(bytes), false);
      return values;
    },
    findInOutput: (text) => printedSecrets(text, registry, isNamed),
  };
}

interface Finder {
  readonly registry: SecretRegistry;
  secretsIn(lines: Buffer, scope: ScanScope, startsInPrivateKey?: boolean): FoundSecrets;
}

/** Holds the sets that a scan adds to, and its options. */
interface ScanTarget {
  readonly values: Set<string>;
  readonly placeholders: Set<string>;
  readonly scope: ScanScope;
  readonly isSmall: boolean;
}

const redactionOf = (
  { registry, secretsIn }: Finder,
  { values, placeholders, scope, isSmall }: ScanTarget,
): Redaction => ({
  redactLines(lines, startsInPrivateKey) {
    const { spans, endsInPrivateKey } = secretsIn(lines, scope, startsInPrivateKey);
    const found = spans.map((span) => registerSpan(registry, values, lines, span));
    // A large file is redacted in pieces, again for each read, and must come out the same although more becomes known.
    const others = isSmall ? registry.find(lines.toString("latin1"), values) : [];
    for (const { placeholder } of [...found, ...others]) placeholders.add(placeholder);
    return { bytes: replaceSpans(lines, [...found, ...others]), endsInPrivateKey };
  },
  isSafeCut(line, at) {
    const [before, after] = [line.subarray(0, at), line.subarray(at)].map((part) => secretsIn(part, scope).spans);
    const parts = [...(before ?? []), ...(after ?? []).map((span) => shiftedBy(at, span))];
    return JSON.stringify(parts) === JSON.stringify(secretsIn(line, scope).spans);
  },
});

const NO_SECRETS: FoundSecrets = { spans: [], endsInPrivateKey: false };

const isSmallEnoughToScan = ({ facts }: OpenFile): boolean => facts.size <= LIMITS.hashedBytes;

const shiftedBy = (bytes: number, { start, end, label }: SecretSpan): SecretSpan => ({
  start: start + bytes,
  end: end + bytes,
  label,
});

function registerSpan(
  registry: SecretRegistry,
  values: Set<string>,
  lines: Buffer,
  { start, end, label }: SecretSpan,
): RedactedSpan {
  const value = lines.toString("utf8", start, end);
  values.add(value);
  return { start, end, placeholder: registry.placeholderFor(value, label) };
}

function replaceSpans(lines: Buffer, spans: readonly RedactedSpan[]): Buffer {
  if (spans.length === 0) return lines;
  const parts = [...partsBetween(lines.length, spans)];
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : lines.subarray(...part))));
}

function cacheScan(cache: Map<string, ScanResult>, key: string, scan: ScanResult): void {
  cache.set(key, scan);
  if (cache.size > LIMITS.redactedFiles) cache.delete(cache.keys().next().value as string);
}
