import type { SecretSpan } from "./secret-formats.ts";

/** The kind of text: in `credentials` a secret name is enough, in `anything` the value must look like a secret too. */
export type Sensitivity = "credentials" | "anything";

/**
 * Finds values that are secret by their name or their randomness: `DB_PASSWORD=…`, `"token": "…"`. Linear in the text.
 */
export function* assignedSecrets(
  text: string,
  sensitivity: Sensitivity,
  isNamed: (name: string) => boolean,
): Generator<SecretSpan> {
  let from = 0;
  let [equals, colon] = [text.indexOf("="), text.indexOf(":")];
  while (equals >= 0 || colon >= 0) {
    const at = colon < 0 || (equals >= 0 && equals < colon) ? equals : colon;
    if (at === equals) equals = text.indexOf("=", at + 1);
    else colon = text.indexOf(":", at + 1);
    const { start, end } = nameBefore(text, at);
    if (start < from || start === end) continue;
    const name = text.slice(start, end);
    const hasSecretName = isSecretName(name);
    const isConfigured = isNamed(name);
    if (!hasSecretName && !isConfigured && !mayBeRandom(text, at)) continue;
    ASSIGNED.lastIndex = start;
    if (!ASSIGNED.test(text)) continue;
    const value = valueAt(text, ASSIGNED.lastIndex, sensitivity === "credentials" && (hasSecretName || isConfigured));
    if (!value || !isSecret(value, { sensitivity, hasSecretName, isConfigured })) continue;
    yield { start: value.start, end: value.end, label: labelOf(name) };
    from = value.end;
  }
}

/**
 * Matches a name and the operator before its value. It starts only at the start of a word, and not inside a
 * placeholder.
 */
const ASSIGNED = /(?<![\w.\-\u2039\u00b9])[A-Za-z_][\w.-]{0,80}["'`]?[ \t]{0,8}(?::=|=>|[:=])[ \t]{0,8}(?![=>:/])/y;

/**
 * Finds the name to which something is assigned. It avoids regular expressions, because most texts are full of
 * assignments and hardly any is a secret.
 */
function nameBefore(text: string, at: number): { readonly start: number; readonly end: number } {
  let end = at;
  while (at - end < MOST_BLANKS && isOneOf(BLANK, text, end - 1)) end--;
  if (isOneOf(QUOTE, text, end - 1)) end--;
  let start = end;
  while (end - start <= MOST_NAME && isOneOf(IN_NAME, text, start - 1)) start--;
  return { start, end };
}

/** Returns true if the value begins with enough characters that random values consist of. */
function mayBeRandom(text: string, at: number): boolean {
  let start = at + 1;
  if (isOneOf(SIGN, text, start)) start++;
  const most = start + MOST_BLANKS;
  while (start < most && isOneOf(BLANK, text, start)) start++;
  if (isOneOf(QUOTE, text, start)) start++;
  let end = start;
  while (end - start < LEAST_RANDOM && isOneOf(IN_RANDOM, text, end)) end++;
  return end - start === LEAST_RANDOM;
}

const MOST_BLANKS = 8;
const MOST_NAME = 81;
const LEAST_RANDOM = 20;

const WORD_CHARS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
const [BLANK, QUOTE, SIGN, IN_NAME, IN_RANDOM] = [
  " \t",
  "\"'`",
  "=>",
  `${WORD_CHARS}.-`,
  `${WORD_CHARS}+/=.~!@#$%^&*?:-`,
].map((all) => Uint8Array.from({ length: 128 }, (_, code) => (all.includes(String.fromCharCode(code)) ? 1 : 0))) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
];

/**
 * Looks up a character in a table. It checks all bounds, because an out-of-range access would deoptimize the function
 * in V8.
 */
function isOneOf(these: Uint8Array, text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return false;
  const code = text.charCodeAt(at);
  return code < these.length && these[code] === 1;
}

/** Returns true if a name says that its value is secret. */
function isSecretName(name: string): boolean {
  const lower = name.toLowerCase();
  return SECRET_NAME.test(lower) && !HARMLESS_NAME.test(lower);
}

const SECRET_NAME =
  /pass(?:word|wd|phrase|code)?(?![a-z])|pwd|secret|token|credential|cookie|webhook|(?:api|access|private|account|auth|encryption|signing|master|app|service|license|shared|session|storage|admin)[_.-]?key|(?:^_?|_)auth$|(?:dsn|salt|pin)$|(?:_|^)key$/;

/** Matches names of properties of a secret (its location, lifetime or count) and of public keys. */
const HARMLESS_NAME =
  /public|(?:name|path|file|dir|url|uri|host|type|ttl|expiry|expires?|length|limit|size|count|header|prefix|suffix|field|policy|rounds|algorithm|enabled|required|max|min|id)s?$|max[_-]?tokens|tokeni[sz]er/;

interface Value {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly isQuoted: boolean;
}

/** Reads the value: up to the closing quote, or else a word, or the rest of the line if the name is secret. */
function valueAt(text: string, at: number, isLine: boolean): Value | undefined {
  const quote = text[at] ?? "";
  const pattern = QUOTED[quote] ?? (isLine ? LINE : WORD);
  pattern.lastIndex = at;
  const found = pattern.exec(text)?.[1];
  if (found === undefined) return undefined;
  const isQuoted = quote in QUOTED;
  const value = isQuoted ? found : trimmedValue(found);
  const start = isQuoted ? at + 1 : at;
  return { start, end: start + value.length, text: value, isQuoted };
}

const QUOTED: Readonly<Record<string, RegExp>> = {
  '"': /"((?:[^"\\\r\n]|\\[^\r\n]){1,4096})"/y,
  "'": /'([^'\r\n]{1,4096})'/y,
  "`": /`([^`\r\n]{1,4096})`/y,
};
const LINE = /([^\r\n]{1,4096})/y;
const WORD = /([^ \t\r\n"'`,;(){}[\]<>=]{1,512}={0,2})/y;

/** Removes a trailing comment and separators. */
const trimmedValue = (value: string): string => {
  const comment = value.search(/[ \t]#/);
  return (comment < 0 ? value : value.slice(0, comment)).replace(/[ \t,;]+$/, "");
};

interface AssignmentClues {
  readonly sensitivity: Sensitivity;
  readonly hasSecretName: boolean;
  readonly isConfigured: boolean;
}

function isSecret({ text, isQuoted }: Value, { sensitivity, hasSecretName, isConfigured }: AssignmentClues): boolean {
  if (isConfigured) return text.length > 0;
  if (PLACEHOLDER.test(text) || text.length < LEAST_CHARS) return false;
  if (sensitivity === "credentials") return hasSecretName ? !COMMON.test(text) : isRandom(text);
  if (!hasSecretName) return isQuoted && isRandom(text) && !FINGERPRINT.test(text);
  return isQuoted ? text.length >= 8 && !/\s/.test(text) && isMixed(text) : isRandom(text);
}

const LEAST_CHARS = 4;

/** Returns true if the name of an environment variable says that its value is a secret, and the value is not a path. */
export const holdsSecret = (name: string, value: string): boolean =>
  isSecretName(name) && !PLACEHOLDER.test(value) && !/^[/.~]/.test(value);

/** Matches references and dummy values. */
const PLACEHOLDER =
  /^(?:\$|%|<|\{\{|#\{|\u2039|\u00e2\u0080\u00b9)|^(?:x+|\*+|\.+|-+|_+)$|change.?me|replace.?(?:me|this)|your[_-]|example|placeholder|dummy|process\.env|os\.environ|getenv|todo/i;
const COMMON = /^(?:true|false|null|none|nil|yes|no|on|off|undefined|never|always|auto|default|required|optional)$/i;

/** Matches hashes and UUIDs, which identify things but grant no access. */
const FINGERPRINT = /^(?:sha\d+[-:]|[0-9a-f]{40}$|[0-9a-f]{64}$|[0-9a-f]{8}-[0-9a-f]{4}-)/i;

/** Returns true for letters mixed with digits or symbols, unlike a word. */
const isMixed = (text: string): boolean => /[A-Za-z]/.test(text) && /[\d!@#$%^&*+=/~?]/.test(text);

/** Returns true for a long value of many different characters that is no path, address, date or sentence. */
function isRandom(text: string): boolean {
  if (text.length < LEAST_RANDOM || !/^[\w+/=.~!@#$%^&*?:-]+$/.test(text)) return false;
  if (!/\d/.test(text) || !/[A-Za-z]/.test(text) || ADDRESS.test(text)) return false;
  return entropyOf(text) >= (/^[0-9a-f]+$/i.test(text) ? 3 : 3.5);
}

const ADDRESS =
  /^[A-Za-z][\w+.-]{0,20}:\/\/|^[~.]?\/|^\d{4}-\d\d-\d\d|^[a-z0-9_-]+(?:[./@:][a-z0-9_-]+)+$|^[A-Za-z]+(?:[-_][A-Za-z]+)*[-_.]?\d{0,4}$|^[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}/;

/** Computes the Shannon entropy per character: 0 for one repeated character, 6 for base64. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

const labelOf = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .toUpperCase()
    .slice(0, 32) || "VALUE";
