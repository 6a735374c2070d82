import { assignedSecrets, type Sensitivity } from "./assignments.ts";
import { FORMATS, type SecretSpan } from "./secret-formats.ts";

export interface DetectionOptions {
  readonly sensitivity: Sensitivity;
  /** Returns true if the configuration declares values of this name as secret. */
  readonly isSecretName: (name: string) => boolean;
}

export interface FoundSecrets {
  /** The spans are in order and do not overlap. */
  readonly spans: readonly SecretSpan[];
  /** Is true if the text ends inside a private key. */
  readonly endsInPrivateKey: boolean;
}

/**
 * Finds the secrets of a text. The text may come in pieces of whole lines: `endsInPrivateKey` of one piece is `startsInPrivateKey` of
 * the next. It may be given as characters or as one character per byte.
 */
export function findSecrets(
  text: string,
  { sensitivity, isSecretName }: DetectionOptions,
  startsInPrivateKey = false,
): FoundSecrets {
  const { spans, endsInPrivateKey } = keyLines(text, startsInPrivateKey);
  const found = [...spans, ...formatSecrets(text, sensitivity), ...assignedSecrets(text, sensitivity, isSecretName)];
  return { spans: found.length > 1 ? withoutOverlaps(found) : found, endsInPrivateKey };
}

function* formatSecrets(text: string, sensitivity: Sensitivity): Generator<SecretSpan> {
  for (const { label, hints, pattern, inCredentialsOnly } of FORMATS) {
    if (inCredentialsOnly && sensitivity !== "credentials") continue;
    if (!hints.some((hint) => text.includes(hint))) continue;
    for (const { 0: whole, 1: inner = whole, index } of text.matchAll(pattern)) {
      const start = index + whole.lastIndexOf(inner);
      yield { start, end: start + inner.length, label };
    }
  }
}

/** Marks every line of a private key as a secret of its own, so that line numbers stay the same. */
function keyLines(text: string, startsInPrivateKey: boolean): FoundSecrets {
  const spans: SecretSpan[] = [];
  let inKey = startsInPrivateKey;
  let at = 0;
  while (at < text.length) {
    if (!inKey) {
      KEY_BEGINS.lastIndex = at;
      const begin = KEY_BEGINS.exec(text);
      if (!begin) break;
      [inKey, at] = [true, KEY_BEGINS.lastIndex];
    }
    const end = text.indexOf("-----END", at);
    for (const { 0: line, index } of text.slice(at, end < 0 ? text.length : end).matchAll(KEY_LINE))
      spans.push({ start: at + index, end: at + index + line.length, label: "PRIVATE_KEY" });
    if (end < 0) break;
    [inKey, at] = [false, end + 1];
  }
  return { spans, endsInPrivateKey: inKey };
}

const KEY_BEGINS = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** Also matches a key in a single string with its line breaks written as `\n`. */
const KEY_LINE =
  /(?:(?<=\\[nr])|(?<![A-Za-z0-9+/=\\]))(?:[A-Za-z0-9+/=]{16,4096}|[A-Za-z0-9+/=]{4,15}(?=[\r\n-]|\\[nr]|$))/g;

/** Sorts the spans and drops overlaps. The one that begins first wins, or else the longer one. */
function withoutOverlaps(spans: readonly SecretSpan[]): readonly SecretSpan[] {
  const sorted = spans.toSorted((a, b) => a.start - b.start || b.end - a.end);
  let end = -1;
  return sorted.filter((span) => {
    if (span.start < end) return false;
    ({ end } = span);
    return true;
  });
}
