/** The start of every placeholder. */
const PLACEHOLDER_START = "‹secret:";

/** Finds a placeholder quickly; what it finds may be only the start of one. */
export const hasPlaceholder = (text: string): boolean => text.includes(PLACEHOLDER_START);

/** Returns the placeholder that replaces a secret in all output: `‹secret:AWS_KEY#1›`. */
export const secretPlaceholder = (label: string, number: number): string => `${PLACEHOLDER_START}${label}#${number}›`;

/** Matches all placeholders in a text. */
export const PLACEHOLDERS = /\u2039secret:[A-Z0-9_]{1,40}#\d{1,9}\u203a/g;

/** A placeholder in the bytes of a text, with its range. */
export interface PlaceholderInBytes {
  readonly placeholder: string;
  readonly start: number;
  readonly end: number;
}

/** Finds all placeholders in a text that is given as UTF-8 bytes, one character per byte. */
export function placeholdersInBytes(bytes: string): readonly PlaceholderInBytes[] {
  const found: PlaceholderInBytes[] = [];
  // Searches for bytes that are rare and occur together only in a placeholder, which is much faster than the pattern.
  for (let at = bytes.indexOf(RARE_BYTES); at >= 0; at = bytes.indexOf(RARE_BYTES, at + 1)) {
    const start = (PLACEHOLDER_BYTES.lastIndex = Math.max(0, at - BYTES_BEFORE));
    const name = PLACEHOLDER_BYTES.exec(bytes)?.[1];
    if (name !== undefined) found.push({ placeholder: `‹${name}›`, start, end: PLACEHOLDER_BYTES.lastIndex });
  }
  return found;
}

const RARE_BYTES = "\xb9secret:";
const BYTES_BEFORE = 2;
const PLACEHOLDER_BYTES = /\xe2\x80\xb9(secret:[A-Z0-9_]{1,40}#\d{1,9})\xe2\x80\xba/y;
