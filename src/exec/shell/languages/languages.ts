import type { Language } from "../grammar.ts";
import { isHarmlessAwk } from "./awk.ts";
import { isHarmlessJq } from "./jq.ts";
import { isHarmlessSed } from "./sed.ts";

/** Says what is wrong with a text of a small language: nothing if the grammar covers it. */
export function problemIn(language: Language, text: string): readonly string[] {
  const isCovered = text.length <= MAX_CHARACTERS && COVERS[language](text);
  return isCovered ? [] : [`this ${language} is not of a form on the list`];
}

/** Bounds the time of matching, which may be quadratic. */
const MAX_CHARACTERS = 2000;

const COVERS: Readonly<Record<Language, (text: string) => boolean>> = {
  "sed script": isHarmlessSed,
  "awk program": isHarmlessAwk,
  "jq filter": isHarmlessJq,
  // bash stores the count of %n in a variable, which may be PATH.
  "printf format": (text) => !/%[^A-Za-z%]*[hlLjztq]*n/.test(text.replaceAll("%%", "")),
  "date format": (text) => text.startsWith("+"),
  // Signatures are checked by a program that the configuration names.
  "git format": (text) => !/%G|signature|trailers:/i.test(text),
  "git setting": (text) => /^[A-Za-z][\w-]*\.[\w.*-]+$/.test(text),
  // A letter e shows environments.
  "ps words": (text) => /^[aux]{1,3}f?$/.test(text),
  "shell option": (text) => text === "pipefail",
};
