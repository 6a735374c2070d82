import type { SecretSpan } from "./formats.ts";

/** Whether a text holds credentials, so that a name is believed at once, or anything, where it has to look like a secret too. */
export type Sensitivity = "credentials" | "anything";

/** Values that their name or their looks give away: `DB_PASSWORD=…`, `"token": "…"`. Time grows with the text, not faster. */
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

/** A name and what stands between it and its value. Begins only where a word does; not in a handle. */
const ASSIGNED = /(?<![\w.\-\u2039\u00b9])[A-Za-z_][\w.-]{0,80}["'`]?[ \t]{0,8}(?::=|=>|[:=])[ \t]{0,8}(?![=>:/])/y;

/** Where the name may be that something is assigned to. By hand: most texts are full of these, and nearly none holds a secret. */
function nameBefore(text: string, at: number): { readonly start: number; readonly end: number } {
  let end = at;
  while (at - end < MOST_BLANKS && isOneOf(BLANK, text, end - 1)) end--;
  if (isOneOf(QUOTE, text, end - 1)) end--;
  let start = end;
  while (end - start <= MOST_NAME && isOneOf(IN_NAME, text, start - 1)) start--;
  return { start, end };
}

/** Whether what is assigned here begins as all that is random does. */
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

const WORDLY = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
const [BLANK, QUOTE, SIGN, IN_NAME, IN_RANDOM] = [" \t", "\"'`", "=>", `${WORDLY}.-`, `${WORDLY}+/=.~!@#$%^&*?:-`].map(
  (all) => Uint8Array.from({ length: 128 }, (_, code) => (all.includes(String.fromCharCode(code)) ? 1 : 0)),
) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];

/** With all bounds: what is asked for beyond one of them makes V8 slow for all the rest. */
function isOneOf(these: Uint8Array, text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return false;
  const code = text.charCodeAt(at);
  return code < these.length && these[code] === 1;
}

/** Whether a name says that its value is secret. */
function isSecretName(name: string): boolean {
  const lower = name.toLowerCase();
  return SECRET_NAME.test(lower) && !HARMLESS_NAME.test(lower);
}

const SECRET_NAME =
  /pass(?:word|wd|phrase|code)?(?![a-z])|pwd|secret|token|credential|cookie|webhook|(?:api|access|private|account|auth|encryption|signing|master|app|service|license|shared|session|storage|admin)[_.-]?key|(?:^_?|_)auth$|(?:dsn|salt|pin)$|(?:_|^)key$/;

/** Says where a secret is, how long it lives or how it is counted; or is known to all. */
const HARMLESS_NAME =
  /public|(?:name|path|file|dir|url|uri|host|type|ttl|expiry|expires?|length|limit|size|count|header|prefix|suffix|field|policy|rounds|algorithm|enabled|required|max|min|id)s?$|max[_-]?tokens|tokeni[sz]er/;

interface Value {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly isQuoted: boolean;
}

/** In quotes up to the next one; else a word, or the rest of the line where a name has told that it is a secret. */
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

/** Without a comment after it, and what ends a value in other notations. */
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

/** Whether a variable of the environment holds a secret, by its name; a place where one lies is none. */
export const holdsSecret = (name: string, value: string): boolean =>
  isSecretName(name) && !PLACEHOLDER.test(value) && !/^[/.~]/.test(value);

/** Stands for a value that is elsewhere, or not there yet. */
const PLACEHOLDER =
  /^(?:\$|%|<|\{\{|#\{|\u2039|\u00e2\u0080\u00b9)|^(?:x+|\*+|\.+|-+|_+)$|change.?me|replace.?(?:me|this)|your[_-]|example|placeholder|dummy|process\.env|os\.environ|getenv|todo/i;
const COMMON = /^(?:true|false|null|none|nil|yes|no|on|off|undefined|never|always|auto|default|required|optional)$/i;

/** Names contents and things, and opens nothing. */
const FINGERPRINT = /^(?:sha\d+[-:]|[0-9a-f]{40}$|[0-9a-f]{64}$|[0-9a-f]{8}-[0-9a-f]{4}-)/i;

/** Letters and digits or signs together, as in nothing that is only a word. */
const isMixed = (text: string): boolean => /[A-Za-z]/.test(text) && /[\d!@#$%^&*+=/~?]/.test(text);

/** Long, of many different characters, and no path, address, date or sentence. */
function isRandom(text: string): boolean {
  if (text.length < LEAST_RANDOM || !/^[\w+/=.~!@#$%^&*?:-]+$/.test(text)) return false;
  if (!/\d/.test(text) || !/[A-Za-z]/.test(text) || ADDRESS.test(text)) return false;
  return bitsPerCharacter(text) >= (/^[0-9a-f]+$/i.test(text) ? 3 : 3.5);
}

const ADDRESS =
  /^[A-Za-z][\w+.-]{0,20}:\/\/|^[~.]?\/|^\d{4}-\d\d-\d\d|^[a-z0-9_-]+(?:[./@:][a-z0-9_-]+)+$|^[A-Za-z]+(?:[-_][A-Za-z]+)*[-_.]?\d{0,4}$|^[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}/;

/** How much one more character tells: 0 for one repeated, 6 for base64. */
function bitsPerCharacter(text: string): number {
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
