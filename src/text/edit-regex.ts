import { createContext, Script } from "node:vm";
import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import type { Source, Wanted } from "./edit-tiers.ts";
import type { Splice } from "./splice.ts";
import { contentStart } from "./text-lines.ts";

/**
 * All matches of the regular expression `oldText`, with the replacement each one gets. Line breaks look like "\n" to
 * the pattern and are kept as they are in the file, unless the pattern itself names "\r". A pattern that searches
 * longer than `LIMITS.regexMs` is a Fault, whatever its shape.
 */
export function findPattern(source: Source, { oldText, newText }: Wanted): Splice[] {
  const { text } = source;
  const pattern = compiled(oldText);
  const seesReturns = NAMES_RETURN.test(oldText);
  const view = seesReturns ? { text, originOf: (at: number) => at } : source.folded("line_endings");
  const isVerbatim = seesReturns || !newText.includes("\n");
  return hitsOf(pattern, view.text).map(({ start, end, groups }) => {
    const origin = view.originOf(start);
    const template = isVerbatim ? newText : newText.replace(/\r?\n/g, source.endingAt(origin));
    const written = template.replace(REFERENCE, (reference) => {
      const span = spanOf(reference, groups);
      if (span === undefined) return reference === "$$" ? "$" : reference;
      return text.slice(view.originOf(span.start), view.originOf(span.end)) + span.rest;
    });
    return { start: origin, end: view.originOf(end), text: written, tier: "exact" };
  });
}

const NAMES_RETURN = /\r|\\(?:r|x0d|u000d|u\{0*d\}|cm)/i;

/** Python's way to set flags, which models write: (?i) ignores case, (?s) lets "." match line breaks. */
const INLINE_FLAGS = /^\(\?([ims]+)\)/;

function compiled(pattern: string): RegExp {
  const inline = INLINE_FLAGS.exec(pattern);
  const flags = [...new Set(`gmud${inline?.[1] ?? ""}`)].join("");
  try {
    return new RegExp(withoutNeedlessEscapes(pattern.slice(inline?.[0].length ?? 0)), flags);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*: /s, "") : String(error);
    throw new Fault("invalid_input", `Cannot use oldText as a regular expression: ${reason}`, {}, error);
  }
}

/** In Unicode mode an escape that changes nothing, such as \" or \-, is a syntax error; people write them anyway. */
function withoutNeedlessEscapes(pattern: string): string {
  let isInClass = false;
  return pattern.replace(/\\[^]|[[\]]/g, (token) => {
    if (token === "[" || token === "]") isInClass = token === "[";
    return NEEDLESS.test(token) && !(isInClass && token === "\\-") ? token.slice(1) : token;
  });
}

const NEEDLESS = /^\\[ !"#%&',\-:;<=>@_`~]$/;

type Groups = ReadonlyMap<string, readonly [start: number, end: number]>;

/** A match and its groups, by number and by name; a group that took no part is empty. */
interface Hit {
  readonly start: number;
  readonly end: number;
  readonly groups: Groups;
}

/** The byte-order mark is no part of the text that is searched, nor of its first line. */
function hitsOf(pattern: RegExp, text: string): Hit[] {
  const skipped = contentStart(text);
  const body = text.slice(skipped);
  const hits: Hit[] = [];
  withinTime(() => {
    for (const { index, 0: match, indices } of body.matchAll(pattern)) {
      const spans = [...(indices ?? []).entries(), ...Object.entries(indices?.groups ?? {})];
      const groups = spans.map(([key, span]) => {
        const [start, end] = span ?? [0, 0];
        return [String(key), [start + skipped, end + skipped]] as const;
      });
      hits.push({ start: index + skipped, end: index + match.length + skipped, groups: new Map(groups) });
    }
  });
  return hits;
}

/** The engine checks for the time-out whenever it backtracks: no pattern can outlast it. */
function withinTime(job: () => void): void {
  try {
    new Script("job()").runInContext(createContext({ job }), { timeout: LIMITS.regexMs });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    const problem = `the regular expression needs more than ${LIMITS.regexMs} ms; repeat less, and nothing twice`;
    throw new Fault("invalid_input", `Cannot search: ${problem}`, {}, error);
  }
}

/** By its code alone: the error may come from another realm. */
function isTimeout(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === TIMED_OUT;
}

const TIMED_OUT = "ERR_SCRIPT_EXECUTION_TIMEOUT";

/** $1 to $99, ${1}, ${name}, $<name>, $& and $$, as far as the pattern has such a group. */
const REFERENCE = /\$(?:[$&]|\d{1,2}|\{\w+\}|<[^<>$]+>)/g;

function spanOf(reference: string, groups: Groups): { start: number; end: number; rest: string } | undefined {
  const [name, rest] = referred(reference, groups);
  const span = groups.get(name);
  return span && { start: span[0], end: span[1], rest };
}

/** Of two digits the second may be text: $12 means group 1 and a "2" when there is no group 12. */
function referred(reference: string, groups: Groups): [name: string, rest: string] {
  if (reference === "$&") return ["0", ""];
  if (/^\$[{<]/.test(reference)) return [reference.slice(2, -1), ""];
  const digits = reference.slice(1);
  if (!/^\d/.test(digits) || Number(digits) === 0) return ["", ""];
  const number = String(Number(digits));
  return groups.has(number) ? [number, ""] : [digits.charAt(0).replace("0", ""), digits.slice(1)];
}
