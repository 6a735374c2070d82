import { createContext, Script } from "node:vm";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { SlicedWork } from "../../base/time-slicing.ts";
import type { SearchedText, EditTarget } from "./match-tiers.ts";
import { type SizeBudget, tooMuch } from "./size-budget.ts";
import type { Splice } from "./splice.ts";
import { type SpanOf, type Template, templateOf, expandTemplate } from "./regex-template.ts";
import { contentStart } from "../text-lines.ts";

/**
 * Finds all matches of the regular expression `oldText` and their replacements, up to one more than a call may change.
 * Line breaks look like "\n" to the pattern and are kept as they are in the file, unless the pattern itself names "\r".
 * A pattern that searches for too long is refused, whatever its shape.
 */
export function* findPattern(
  source: SearchedText,
  { oldText, newText, excludesOverlaps }: EditTarget,
  budget: SizeBudget,
): SlicedWork<Splice[]> {
  const pattern = compileRegex(oldText);
  const seesReturns = NAMES_RETURN.test(oldText);
  const view = seesReturns ? { text: source.text, originOf: (at: number) => at } : yield* source.folded("line_endings");
  const hits = yield* hitsOf(pattern, view.text, view.originOf);
  // With too many matches, the call fails, so their replacements are not needed.
  if (!excludesOverlaps && hits.length > 1)
    return hits.map(({ start, end }) => ({ start, end, text: "", tier: "exact" }));
  const templates = createTemplates(source, newText, pattern, seesReturns);
  let parts = 0;
  for (const hit of hits) {
    yield;
    const template = templates(hit);
    budget.take(template.sizeWith(hit.spanOf) - (hit.end - hit.start));
    // Empty groups add no size but still take time.
    parts += template.parts.length;
    if (parts > LIMITS.editBytes) throw tooMuch("too many parts");
  }
  const splices: Splice[] = [];
  for (const hit of hits) {
    yield;
    const text = expandTemplate(templates(hit), source.text, hit.spanOf);
    splices.push({ start: hit.start, end: hit.end, text, tier: "exact" });
  }
  return splices;
}

const NAMES_RETURN = /\r|\\(?:r|x0d|u000d|u\{0*d\}|cm)/i;

/**
 * Creates a function that returns the template with the line breaks of the place where it is used. Templates are
 * cached by line break; there are hardly ever two kinds.
 */
function createTemplates(
  source: SearchedText,
  newText: string,
  pattern: RegExp,
  seesReturns: boolean,
): (hit: Hit) => Template {
  const isVerbatim = seesReturns || !newText.includes("\n");
  const groups = groupsIn(pattern);
  const known = new Map<string, Template>();
  return ({ start }) => {
    const ending = isVerbatim ? "" : source.endingAt(start);
    const template = known.get(ending) ?? templateOf(isVerbatim ? newText : newText.replace(/\r?\n/g, ending), groups);
    known.set(ending, template);
    return template;
  };
}

/**
 * Returns the names and numbers of the groups. With an empty alternative, every pattern matches the empty text and
 * reports them.
 */
function groupsIn({ source, flags }: RegExp): ReadonlySet<string> {
  const match = new RegExp(`${source}|`, flags).exec("");
  return new Set([...Array.from(match ?? [], (_, index) => String(index)), ...Object.keys(match?.groups ?? {})]);
}

/** Matches inline flags as in Python, which models write: (?i) ignores case, (?s) lets "." match line breaks. */
const INLINE_FLAGS = /^\(\?([ims]+)\)/;

function compileRegex(pattern: string): RegExp {
  const inline = INLINE_FLAGS.exec(pattern);
  const flags = [...new Set(`gmud${inline?.[1] ?? ""}`)].join("");
  try {
    return new RegExp(withoutNeedlessEscapes(pattern.slice(inline?.[0].length ?? 0)), flags);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*: /s, "") : String(error);
    throw new Fault("invalid_input", `Cannot use oldText as a regular expression: ${reason}`, {}, error);
  }
}

/**
 * Removes escapes that change nothing, such as \" or \-, because they are syntax errors in Unicode mode and people
 * write them anyway.
 */
function withoutNeedlessEscapes(pattern: string): string {
  let isInClass = false;
  return pattern.replace(/\\[^]|[[\]]/g, (token) => {
    if (token === "[" || token === "]") isInClass = token === "[";
    return NEEDLESS.test(token) && !(isInClass && token === "\\-") ? token.slice(1) : token;
  });
}

const NEEDLESS = /^\\[ !"#%&',\-:;<=>@_`~]$/;

/** A match in the original text. A group that did not participate is empty. */
interface Hit {
  readonly start: number;
  readonly end: number;
  readonly spanOf: SpanOf;
}

/** Finds all matches. The byte-order mark is not part of the searched text. */
function* hitsOf(pattern: RegExp, text: string, originOf: (at: number) => number): SlicedWork<Hit[]> {
  const skipped = contentStart(text);
  const matches = text.slice(skipped).matchAll(pattern);
  const hits: Hit[] = [];
  const progress = { isDone: false };
  const collect = (): void => {
    const sliceEnds = performance.now() + LIMITS.sliceMs;
    while (!progress.isDone && performance.now() < sliceEnds) {
      const next = matches.next();
      if (!next.done) hits.push(hitOf(next.value, (at) => originOf(at + skipped)));
      progress.isDone = next.done === true || hits.length > LIMITS.editPlaces;
    }
  };
  const runWithTimeout = createTimeout(collect, text.length);
  while (!progress.isDone) {
    runWithTimeout();
    yield;
  }
  return hits;
}

function hitOf({ index, 0: match, indices }: RegExpExecArray, originOf: (at: number) => number): Hit {
  return {
    start: originOf(index),
    end: originOf(index + match.length),
    spanOf(group) {
      const [start, end] = (/^\d/.test(group) ? indices?.[Number(group)] : indices?.groups?.[group]) ?? [0, 0];
      return [originOf(start), originOf(end)];
    },
  };
}

/**
 * Runs a job repeatedly, within `LIMITS.regexMs` in total. The engine checks the timeout whenever it backtracks, so no
 * pattern can outlast it. A match that takes longer than a slice gets one more attempt, so that other calls are
 * answered in between and a busy machine refuses no good pattern.
 */
function createTimeout(job: () => void, length: number): () => void {
  const script = new Script("job()");
  const context = createContext({ job });
  const matchMs = LIMITS.regexMatchMs * Math.ceil(length / LIMITS.regexMatchChars);
  let leftMs: number = LIMITS.regexMs;
  let isLastAttempt = false;
  return () => {
    const started = performance.now();
    try {
      script.runInContext(context, { timeout: Math.max(1, Math.ceil(Math.min(leftMs, matchMs + LIMITS.sliceMs))) });
      isLastAttempt = false;
    } catch (error) {
      if (!isTimeout(error)) throw error;
      if (isLastAttempt) throw tooSlow(error);
      isLastAttempt = true;
    }
    leftMs -= performance.now() - started;
    if (leftMs <= 0) throw tooSlow();
  };
}

const tooSlow = (cause?: unknown): Fault => {
  const problem = "the regular expression takes too long; repeat less, and nothing twice";
  return new Fault("invalid_input", `Cannot search: ${problem}`, {}, cause);
};

/** Checks the code only, because the error may come from another realm. */
function isTimeout(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === TIMED_OUT;
}

const TIMED_OUT = "ERR_SCRIPT_EXECUTION_TIMEOUT";
