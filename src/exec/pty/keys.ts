import { Buffer } from "node:buffer";
import { Fault } from "../../base/errors.ts";
import { quoted } from "../../text/quote.ts";

/**
 * Translates names of keys as in tmux ("Enter", "C-c", "M-x", "S-Up", "F5"), or as people spell them ("Ctrl+C"), to what
 * a terminal sends for them. A word that names no key is typed as it is.
 */
export const bytesOfKeys = (names: readonly string[]): Uint8Array =>
  Buffer.concat(names.map((name) => bytesOfKey(asInTmux(name))));

/** Shortens modifiers that are spelled out before a key: "Ctrl+Shift+Up" is "C-S-Up". */
function asInTmux(name: string): string {
  const [, prefix = "", key = ""] = SPELLED.exec(name) ?? [];
  const isKey = NAMED.has(key.toLowerCase()) || Array.from(key).length === 1;
  if (!isKey) return name;
  return prefix.replaceAll(/[a-z]+[+-]/gi, (modifier) => `${LETTERS[modifier.slice(0, 1).toLowerCase()]}-`) + key;
}

const SPELLED = /^((?:(?:ctrl|control|alt|meta|shift)[+-])+)(.+)$/isu;
const LETTERS: Readonly<Record<string, string>> = { c: "C", a: "M", m: "M", s: "S" };

function bytesOfKey(name: string): Buffer {
  const [, prefix = "", key = name] = /^((?:[CMS]-)*)(.+)$/su.exec(name) ?? [];
  const modifiers = { ctrl: prefix.includes("C"), alt: prefix.includes("M"), shift: prefix.includes("S") };
  if (prefix === "" && /^\^.$/u.test(name)) return bytesOfKey(`C-${name.slice(1)}`);
  const named = NAMED.get(key.toLowerCase());
  if (named !== undefined) return Buffer.from(namedKey(named, modifiers));
  if (prefix === "") return Buffer.from(key);
  if (Array.from(key).length !== 1) throw unknownKey(name);
  return Buffer.from(`${modifiers.alt ? ESC : ""}${modifiers.ctrl ? controlOf(key, name) : key}`);
}

interface Modifiers {
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

const ESC = "\u001b";

/** Keys that send one character; keys that send a letter or a number in a sequence, which can carry modifiers. */
type NamedKey = { readonly text: string } | { readonly letter: string } | { readonly number: number };

function namedKey(key: NamedKey, { ctrl, alt, shift }: Modifiers): string {
  if ("text" in key) {
    if (key.text === "\t" && shift) return `${ESC}[Z`;
    return `${alt ? ESC : ""}${ctrl && key.text === " " ? "\0" : key.text}`;
  }
  const modifier = 1 + (shift ? 1 : 0) + (alt ? 2 : 0) + (ctrl ? 4 : 0);
  if ("number" in key) return `${ESC}[${key.number}${modifier === 1 ? "" : `;${modifier}`}~`;
  if (modifier > 1) return `${ESC}[1;${modifier}${key.letter}`;
  return `${ESC}${/[PQRS]/.test(key.letter) ? "O" : "["}${key.letter}`;
}

const text = (value: string): NamedKey => ({ text: value });
const letter = (value: string): NamedKey => ({ letter: value });
const number = (value: number): NamedKey => ({ number: value });

const NAMED: ReadonlyMap<string, NamedKey> = new Map([
  ["enter", text("\r")],
  ["return", text("\r")],
  ["escape", text(ESC)],
  ["esc", text(ESC)],
  ["space", text(" ")],
  ["tab", text("\t")],
  ["btab", text(`${ESC}[Z`)],
  ["bspace", text("\u007f")],
  ["backspace", text("\u007f")],
  ["up", letter("A")],
  ["down", letter("B")],
  ["right", letter("C")],
  ["left", letter("D")],
  ["end", letter("F")],
  ["home", letter("H")],
  ["ic", number(2)],
  ["insert", number(2)],
  ["dc", number(3)],
  ["delete", number(3)],
  ["pageup", number(5)],
  ["pgup", number(5)],
  ["ppage", number(5)],
  ["pagedown", number(6)],
  ["pgdn", number(6)],
  ["npage", number(6)],
  ...["P", "Q", "R", "S"].map((value, nth) => [`f${nth + 1}`, letter(value)] as const),
  ...[15, 17, 18, 19, 20, 21, 23, 24].map((value, nth) => [`f${nth + 5}`, number(value)] as const),
]);

/** Control and a letter give the first 32 characters; C-? deletes, C-Space is NUL. */
function controlOf(key: string, name: string): string {
  if (key === "?") return "\u007f";
  const code = key.toUpperCase().codePointAt(0) ?? 0;
  if (code < 0x40 || code > 0x5f) throw unknownKey(name);
  return String.fromCodePoint(code - 0x40);
}

const unknownKey = (name: string): Fault =>
  new Fault("invalid_input", `Cannot send the key ${quoted(name)}: there is no such key`, {
    hint: 'Use names such as "Enter", "C-c", "Up", "F5", "M-x"; other text is typed as it is',
  });

/** Brackets a text as terminals do for a paste, so that an editor or shell does not run its lines. */
export const bytesOfPaste = (pasted: string): Uint8Array =>
  // An escape in the text could end the brackets.
  Buffer.from(`${ESC}[200~${pasted.replaceAll(ESC, "")}${ESC}[201~`);
