import { LIMITS } from "../../base/limits.ts";
import { type Checkpoint, type Cancellation, createCheckpoint } from "../../base/time-slicing.ts";
import type { Version } from "../../base/version.ts";
import type { OpenFile } from "../../storage/storage.ts";
import type { Sensitivity } from "../../text/secrets/assignments.ts";
import type { SecretSpan } from "../../text/secrets/formats.ts";
import { findSecrets, type FoundSecrets } from "../../text/secrets/redact.ts";
import { type Redaction, type RedactedFile, type PlainFile, plainFile } from "../../workspace/read/redacted-file.ts";
import { type HiddenSpan, partsAround, type SecretRegistry } from "./registry.ts";

/** What was found in one state of a file. */
export interface ScanResult {
  readonly version: Version;
  /** What may be shown of it; undefined where it is not text. */
  readonly masked: RedactedFile | undefined;
  /** The secrets in it. */
  readonly values: ReadonlySet<string>;
  /** Everything that is shown instead of a value. */
  readonly handles: ReadonlySet<string>;
  readonly mask: Redaction;
}

/** The same for a file that was just read: with all its bytes, where it is small. */
export interface FreshScan extends ScanResult {
  readonly bytes: Buffer | undefined;
}

/** How a file is looked at: by what is known alone, or also by what looks like a secret. */
export type ScanScope = Sensitivity | "known";

export interface SecretScanner {
  /** At once where the same was found before. */
  file(file: OpenFile, scope: ScanScope, signal: Cancellation): FreshScan | Promise<FreshScan>;
  /** Whether all that is known is hidden in it, not only what is found in it. */
  hidesAll(file: OpenFile): boolean;
  /** Where secrets stand in a text, those that are known and, where they are to be looked for, others. */
  spans(text: string, trust: Sensitivity | undefined, values: ReadonlySet<string>): readonly HiddenSpan[];
  /** The secrets in bytes of a file that holds some. */
  bytes(bytes: Uint8Array): ReadonlySet<string>;
}

/** Looks for secrets, takes them into the vault, and remembers what it found in the small files asked for last. */
export function createSecretScanner(vault: SecretRegistry, names: readonly string[]): SecretScanner {
  const known = new Map<string, ScanResult>();
  const isNamed = (name: string): boolean => names.includes(name);
  const secretsIn = (lines: Buffer, trust: ScanScope, startsInKey?: boolean): FoundSecrets =>
    trust === "known" ? NOTHING : findSecrets(lines.toString("latin1"), { trust, isNamed }, startsInKey);
  const maskInto = (values: Set<string>, handles: Set<string>, trust: ScanScope, isSmall: boolean): Redaction =>
    redactionOf({ vault, secretsIn }, { values, handles, trust, isSmall });
  // What is hidden of a file depends on what is known by now.
  const keyOf = (version: Version, trust: ScanScope): string => `${version}:${trust}:${vault.size()}`;
  const lookInto = async (
    { version, masked }: PlainFile,
    trust: ScanScope,
    isSmall: boolean,
    checkpoint: Checkpoint,
  ) => {
    const values = new Set<string>();
    const handles = new Set<string>();
    const mask = maskInto(values, handles, trust, isSmall);
    const looked: ScanResult = { version, masked: await masked(mask, checkpoint), values, handles, mask };
    if (isSmall) remember(known, keyOf(version, trust), looked);
    return looked;
  };
  return {
    file(file, trust, signal) {
      const lookAt = (state: PlainFile): FreshScan | Promise<FreshScan> => {
        const { bytes } = state;
        const before = known.get(keyOf(state.version, trust));
        if (before) return { ...before, bytes };
        return lookInto(state, trust, hidesAll(file), createCheckpoint(signal)).then((looked) => ({
          ...looked,
          bytes,
        }));
      };
      const state = plainFile(file);
      return state instanceof Promise ? state.then(lookAt) : lookAt(state);
    },
    hidesAll,
    spans(text, trust, values) {
      const found = trust === undefined ? [] : findSecrets(text, { trust, isNamed }).spans;
      const hidden = found.map(({ start, end, label }) => {
        return { start, end, handle: vault.handleFor(text.slice(start, end), label) };
      });
      return [...hidden, ...vault.find(text, values)];
    },
    bytes(bytes) {
      const values = new Set<string>();
      maskInto(values, new Set(), "credentials", true).hide(Buffer.from(bytes), false);
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
  hide(lines, startsInKey) {
    const { spans, endsInKey } = secretsIn(lines, trust, startsInKey);
    const found = spans.map((span) => taken(vault, values, lines, span));
    // A large file is masked piece by piece time and again, and must always come out the same.
    const others = isSmall ? vault.find(lines.toString("latin1"), values) : [];
    for (const { handle } of [...found, ...others]) handles.add(handle);
    return { bytes: spliced(lines, [...found, ...others]), endsInKey };
  },
  isApart(line, at) {
    const [before, after] = [line.subarray(0, at), line.subarray(at)].map((part) => secretsIn(part, trust).spans);
    const parts = [...(before ?? []), ...(after ?? []).map((span) => movedBy(at, span))];
    return JSON.stringify(parts) === JSON.stringify(secretsIn(line, trust).spans);
  },
});

const NOTHING: FoundSecrets = { spans: [], endsInKey: false };

const hidesAll = ({ facts }: OpenFile): boolean => facts.size <= LIMITS.hashedBytes;

const movedBy = (bytes: number, { start, end, label }: SecretSpan): SecretSpan => ({
  start: start + bytes,
  end: end + bytes,
  label,
});

function taken(
  vault: SecretRegistry,
  values: Set<string>,
  lines: Buffer,
  { start, end, label }: SecretSpan,
): HiddenSpan {
  const value = lines.toString("utf8", start, end);
  values.add(value);
  return { start, end, handle: vault.handleFor(value, label) };
}

function spliced(lines: Buffer, spans: readonly HiddenSpan[]): Buffer {
  if (spans.length === 0) return lines;
  const parts = [...partsAround(lines.length, spans)];
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : lines.subarray(...part))));
}

function remember(known: Map<string, ScanResult>, key: string, looked: ScanResult): void {
  known.set(key, looked);
  if (known.size > LIMITS.maskedFiles) known.delete(known.keys().next().value as string);
}
