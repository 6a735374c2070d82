import { LIMITS } from "../../base/limits.ts";
import { type Checkpoint, type Cancellation, createCheckpoint } from "../../base/time-slicing.ts";
import type { Version } from "../../base/version.ts";
import type { OpenFile } from "../../storage/storage.ts";
import type { Sensitivity } from "../../text/secrets/assignments.ts";
import type { SecretSpan } from "../../text/secrets/formats.ts";
import { findSecrets, type FoundSecrets } from "../../text/secrets/redact.ts";
import { type Redaction, type RedactedFile, type PlainFile, plainFile } from "../../workspace/read/redacted-file.ts";
import { type HiddenSpan, partsBetween, type SecretRegistry } from "./registry.ts";

/** What was found in one state of a file. */
export interface ScanResult {
  readonly version: Version;
  /** What may be shown of it; undefined where it is not text. */
  readonly redactedFile: RedactedFile | undefined;
  /** The secrets in it. */
  readonly values: ReadonlySet<string>;
  /** Everything that is shown instead of a value. */
  readonly placeholders: ReadonlySet<string>;
  readonly redaction: Redaction;
}

/** The same for a file that was just read: with all its bytes, where it is small. */
export interface FreshScan extends ScanResult {
  readonly bytes: Buffer | undefined;
}

/** How a file is looked at: by what is known alone, or also by what looks like a secret. */
export type ScanScope = Sensitivity | "known";

export interface SecretScanner {
  /** At once where the same was found before. */
  scanFile(file: OpenFile, scope: ScanScope, signal: Cancellation): FreshScan | Promise<FreshScan>;
  /** Whether all that is known is hidden in it, not only what is found in it. */
  redactsKnownValues(file: OpenFile): boolean;
  /** Where secrets stand in a text, those that are known and, where they are to be looked for, others. */
  findSpans(text: string, trust: Sensitivity | undefined, values: ReadonlySet<string>): readonly HiddenSpan[];
  /** The secrets in bytes of a file that holds some. */
  findInBytes(bytes: Uint8Array): ReadonlySet<string>;
}

/** Looks for secrets, takes them into the vault, and remembers what it found in the small files asked for last. */
export function createSecretScanner(registry: SecretRegistry, names: readonly string[]): SecretScanner {
  const known = new Map<string, ScanResult>();
  const isNamed = (name: string): boolean => names.includes(name);
  const secretsIn = (lines: Buffer, trust: ScanScope, startsInKey?: boolean): FoundSecrets =>
    trust === "known"
      ? NO_SECRETS
      : findSecrets(lines.toString("latin1"), { sensitivity: trust, isSecretName: isNamed }, startsInKey);
  const maskInto = (values: Set<string>, handles: Set<string>, trust: ScanScope, isSmall: boolean): Redaction =>
    redactionOf({ vault: registry, secretsIn }, { values, handles, trust, isSmall });
  // What is hidden of a file depends on what is known by now.
  const keyOf = (version: Version, trust: ScanScope): string => `${version}:${trust}:${registry.size()}`;
  const lookInto = async (
    { version, redact }: PlainFile,
    trust: ScanScope,
    isSmall: boolean,
    checkpoint: Checkpoint,
  ) => {
    const values = new Set<string>();
    const handles = new Set<string>();
    const mask = maskInto(values, handles, trust, isSmall);
    const looked: ScanResult = {
      version,
      redactedFile: await redact(mask, checkpoint),
      values,
      placeholders: handles,
      redaction: mask,
    };
    if (isSmall) cacheScan(known, keyOf(version, trust), looked);
    return looked;
  };
  return {
    scanFile(file, trust, signal) {
      const lookAt = (state: PlainFile): FreshScan | Promise<FreshScan> => {
        const { bytes } = state;
        const before = known.get(keyOf(state.version, trust));
        if (before) return { ...before, bytes };
        return lookInto(state, trust, isSmallEnoughToScan(file), createCheckpoint(signal)).then((looked) => ({
          ...looked,
          bytes,
        }));
      };
      const state = plainFile(file);
      return state instanceof Promise ? state.then(lookAt) : lookAt(state);
    },
    redactsKnownValues: isSmallEnoughToScan,
    findSpans(text, trust, values) {
      const found = trust === undefined ? [] : findSecrets(text, { sensitivity: trust, isSecretName: isNamed }).spans;
      const hidden = found.map(({ start, end, label }) => {
        return { start, end, placeholder: registry.placeholderFor(text.slice(start, end), label) };
      });
      return [...hidden, ...registry.find(text, values)];
    },
    findInBytes(bytes) {
      const values = new Set<string>();
      maskInto(values, new Set(), "credentials", true).redactLines(Buffer.from(bytes), false);
      return values;
    },
  };
}

interface Finder {
  readonly vault: SecretRegistry;
  secretsIn(lines: Buffer, trust: ScanScope, startsInKey?: boolean): FoundSecrets;
}

/** What a scan adds to, and how it is made. */
interface ScanTarget {
  readonly values: Set<string>;
  readonly handles: Set<string>;
  readonly trust: ScanScope;
  readonly isSmall: boolean;
}

const redactionOf = ({ vault, secretsIn }: Finder, { values, handles, trust, isSmall }: ScanTarget): Redaction => ({
  redactLines(lines, startsInKey) {
    const { spans, endsInKey } = secretsIn(lines, trust, startsInKey);
    const found = spans.map((span) => registerSpan(vault, values, lines, span));
    // A large file is masked piece by piece time and again, and must always come out the same.
    const others = isSmall ? vault.find(lines.toString("latin1"), values) : [];
    for (const { placeholder } of [...found, ...others]) handles.add(placeholder);
    return { bytes: spliced(lines, [...found, ...others]), endsInKey };
  },
  isSafeCut(line, at) {
    const [before, after] = [line.subarray(0, at), line.subarray(at)].map((part) => secretsIn(part, trust).spans);
    const parts = [...(before ?? []), ...(after ?? []).map((span) => shiftedBy(at, span))];
    return JSON.stringify(parts) === JSON.stringify(secretsIn(line, trust).spans);
  },
});

const NO_SECRETS: FoundSecrets = { spans: [], endsInKey: false };

const isSmallEnoughToScan = ({ facts }: OpenFile): boolean => facts.size <= LIMITS.hashedBytes;

const shiftedBy = (bytes: number, { start, end, label }: SecretSpan): SecretSpan => ({
  start: start + bytes,
  end: end + bytes,
  label,
});

function registerSpan(
  vault: SecretRegistry,
  values: Set<string>,
  lines: Buffer,
  { start, end, label }: SecretSpan,
): HiddenSpan {
  const value = lines.toString("utf8", start, end);
  values.add(value);
  return { start, end, placeholder: vault.placeholderFor(value, label) };
}

function spliced(lines: Buffer, spans: readonly HiddenSpan[]): Buffer {
  if (spans.length === 0) return lines;
  const parts = [...partsBetween(lines.length, spans)];
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : lines.subarray(...part))));
}

function cacheScan(known: Map<string, ScanResult>, key: string, looked: ScanResult): void {
  known.set(key, looked);
  if (known.size > LIMITS.maskedFiles) known.delete(known.keys().next().value as string);
}
