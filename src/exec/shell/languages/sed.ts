import { partOfExpression } from "./expression.ts";

/**
 * Returns whether a script only prints, deletes from the output, quits or substitutes. Other commands read and write
 * files (`r`, `w`) or run programs (`e`), as do flags of `s`.
 */
export function isHarmlessSed(script: string): boolean {
  let rest = script.trim();
  while (rest !== "") {
    const length = commandLength(rest);
    if (length === 0) return false;
    rest = rest.slice(length);
    const [separator] = /^(?:[ \t]*(?:;|\n)[ \t;\n]*|[ \t]*$)/.exec(rest) ?? [];
    if (separator === undefined) return false;
    rest = rest.slice(separator.length);
  }
  return script !== "";
}

const ADDRESS = String.raw`(?:\d+|\$|/${partOfExpression("/")}+/)`;
const RANGE = String.raw`(?:${ADDRESS}(?:~\d+)?(?:,(?:${ADDRESS}|\+\d+))?[ \t]*!?[ \t]*)?`;
const FORMS = [new RegExp(`^${RANGE}[pdq=]`), ...["/", String.raw`\|`, "#", ",", ":", "@", "%"].map(substitution)];

/** Returns the form of `s` with a delimiter. The flags `e` and `w` are missing. */
function substitution(mark: string): RegExp {
  const replacement = String.raw`(?:\\[^\n]|[^\\\n${mark}])*`;
  return new RegExp(`^${RANGE}s${mark}${partOfExpression(mark)}*${mark}${replacement}${mark}[gpiI0-9]*`);
}

/** Returns the length of the command at the beginning, or 0 where it is none of these. */
function commandLength(script: string): number {
  for (const form of FORMS) {
    const [command] = form.exec(script) ?? [];
    if (command !== undefined) return command.length;
  }
  return 0;
}
