/** How every handle begins. */
export const PLACEHOLDER_START = "‹secret:";

/** What stands for a secret in everything that is told: `‹secret:AWS_KEY#1›`. */
export const secretPlaceholder = (label: string, number: number): string => `${PLACEHOLDER_START}${label}#${number}›`;

/** Every handle in a text. */
export const PLACEHOLDERS = /\u2039secret:[A-Z0-9_]{1,40}#\d{1,9}\u203a/g;

/** A handle among the bytes of a text, and where it stands there. */
export interface PlaceholderInBytes {
  readonly handle: string;
  readonly start: number;
  readonly end: number;
}

/** Every handle in a text that is given as its bytes in UTF-8, each as a character of its own. */
export function placeholdersInBytes(bytes: string): readonly PlaceholderInBytes[] {
  const found: PlaceholderInBytes[] = [];
  // Looked for by bytes that are rare, and together only in a handle: far quicker than by the pattern.
  for (let at = bytes.indexOf(INSIDE); at >= 0; at = bytes.indexOf(INSIDE, at + 1)) {
    const start = (HANDLE.lastIndex = Math.max(0, at - BEFORE));
    const name = HANDLE.exec(bytes)?.[1];
    if (name !== undefined) found.push({ handle: `‹${name}›`, start, end: HANDLE.lastIndex });
  }
  return found;
}

const INSIDE = "\xb9secret:";
const BEFORE = 2;
const HANDLE = /\xe2\x80\xb9(secret:[A-Z0-9_]{1,40}#\d{1,9})\xe2\x80\xba/y;
