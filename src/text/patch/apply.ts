import { Fault, hasCode } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { SlicedWork } from "../../base/time-slicing.ts";
import { nearMiss } from "../edit/near-miss.ts";
import { createSearchedText, type SearchedText } from "../edit/match-tiers.ts";
import { type DeleteFile, type Hunk, sideOf, type UpdateFile } from "./file-patch.ts";
import { isChange } from "./hunk-draft.ts";
import { LINE_KEYS } from "../edit/line-search.ts";
import { missingAnchor } from "./anchors.ts";
import { type Fit, locateHunk, type LocateProgress } from "./locate-hunk.ts";
import { endingRuleOf, splicesOf } from "./splices.ts";
import { quoted } from "../quote.ts";
import { applySplices, bySpliceOrder, isOverlap, loosestOf, type Splice, type Tier } from "../edit/splice.ts";
import { BOM, contentStart, lineNumberAt, placesIn, shortenLine } from "../text-lines.ts";

/**
 * The position of a hunk: its first line, how it was found, the context lines it gave up, and the distance to its
 * number.
 */
export interface AppliedHunk {
  readonly line: number;
  readonly tier: Tier;
  readonly fuzz: number;
  readonly offset: number;
}

/** Splices of the original, sorted and without overlap. `tier` is the loosest tier that was needed. */
export interface PatchPlan {
  readonly splices: readonly Splice[];
  readonly tier: Tier;
  readonly hunks: readonly AppliedHunk[];
}

/** Finds every hunk in the text, or throws a fault that names the hunk. Nothing is applied in part. */
export function* applyFilePatch(text: string, patch: UpdateFile | DeleteFile): SlicedWork<PatchPlan> {
  try {
    return yield* planWith(createSearchedText(text), patch);
  } catch (error) {
    if (!hasCode(error, "no_match") || !LONE_RETURN.test(text)) throw error;
    // Retries with lone carriage returns as line breaks, because a model reads them as such whatever else ends lines in
    // the file.
    return yield* retryOrThrow(planWith(createSearchedText(text, EVERY_BREAK), patch), error);
  }
}

const LONE_RETURN = /\r(?!\n)/;
const EVERY_BREAK = /\r\n|\r|\n/g;

/** Returns the plan of the retry. If it fails too, throws the first fault, which says more. */
function* retryOrThrow(steps: SlicedWork<PatchPlan>, first: Fault): SlicedWork<PatchPlan> {
  try {
    return yield* steps;
  } catch (error) {
    throw hasCode(error, "no_match") ? first : error;
  }
}

function* planWith(source: SearchedText, patch: UpdateFile | DeleteFile): SlicedWork<PatchPlan> {
  const { text } = source;
  const endings = endingRuleOf(patch.hunks);
  const planned: Splice[][] = [];
  const hunks: AppliedHunk[] = [];
  let progress: LocateProgress = { end: 0, drift: 0 };
  for (const [index, given] of patch.hunks.entries()) {
    yield;
    const hunk = withoutBom(text, given);
    const fit = yield* requireSingleMatch(source, hunk, progress, {
      path: patch.path,
      hunk: index + 1,
      line: hunk.line,
    });
    const old = fit.lines.filter(({ kind }) => kind !== "add").length;
    const offset = hunk.start === undefined ? 0 : fit.origin - (old > 0 ? hunk.start - 1 : hunk.start);
    planned.push(yield* splicesOf(source, fit, endings));
    hunks.push({ line: fit.at + 1, tier: fit.tier, fuzz: fit.fuzz, offset });
    progress = { end: fit.at + old, drift: hunk.start === undefined ? progress.drift : offset };
  }
  const splices = planned.flat().toSorted(bySpliceOrder);
  yield* checkHunks(source, patch, splices);
  return { splices, tier: loosestOf(hunks), hunks };
}

/** Removes the byte-order mark from the hunk. It is not part of the first line, though a diff shows it there. */
function withoutBom(text: string, hunk: Hunk): Hunk {
  if (contentStart(text) === 0) return hunk;
  const lines = hunk.lines.map((line) => ({
    ...line,
    text: line.text.startsWith(BOM) ? line.text.slice(1) : line.text,
  }));
  return { ...hunk, lines };
}

/** The name of a hunk in messages. */
interface HunkName {
  readonly path: string;
  readonly hunk: number;
  readonly line: number;
}

const messageOf = ({ path, hunk, line }: HunkName, problem: string): string =>
  `Cannot patch ${quoted(path)}: hunk ${hunk} (line ${line} of the patch) ${problem}`;

function* requireSingleMatch(
  source: SearchedText,
  hunk: Hunk,
  progress: LocateProgress,
  name: HunkName,
): SlicedWork<Fit> {
  const fits = yield* locateHunk(source, hunk, progress);
  const [fit] = fits;
  if (fit === undefined) throw yield* noMatchFault(source, hunk, name);
  if (fits.length === 1) return fit;
  const places = fits.map(({ at }) => at + 1);
  const problem = `fits ${fits.length} places equally well\n${placesIn(yield* source.lines(), places)}`;
  throw new Fault("many_matches", messageOf(name, problem), {
    ...name,
    matches: fits.length,
    lines: places.slice(0, LIMITS.placesListed),
    tier: fit.tier,
  });
}

function* noMatchFault(source: SearchedText, hunk: Hunk, name: HunkName): SlicedWork<Fault> {
  const anchor = yield* missingAnchor(source, hunk.anchors);
  const old = sideOf(hunk, "old").map(({ text }) => text);
  if (anchor === undefined && old.length === 0) {
    const problem = "only adds lines, at a line that the file does not have: give it a line of context";
    return new Fault("no_match", messageOf(name, problem), { ...name });
  }
  const { summary, report, details } = yield* nearMiss(source.text, yield* source.lines(), anchor ?? old.join("\n"));
  const what = anchor === undefined ? "" : `has the context "${shortenLine(anchor)}", which `;
  const where = anchor === undefined && hunk.isAtEnd ? "at the end of the file" : "in the file";
  const message = messageOf(name, `${what}is not ${where}; ${summary}`);
  return new Fault("no_match", [message, ...(yield* alreadyThere(source, hunk)), ...report].join("\n"), {
    ...name,
    ...details,
  });
}

/**
 * Reports that the result of the hunk is in the file already, so that a patch that was applied before is not tried
 * again.
 */
function* alreadyThere(source: SearchedText, hunk: Hunk): SlicedWork<string[]> {
  const fresh = sideOf(hunk, "new").map(({ text }) => text);
  const [at] = isChange([hunk]) ? yield* (yield* source.search(LINE_KEYS.exact)).find(fresh) : [];
  return at === undefined ? [] : [`its result is in the file already, at line ${at + 1}`];
}

function* checkHunks(
  { text, lines }: SearchedText,
  { kind, path, hunks }: UpdateFile | DeleteFile,
  splices: readonly Splice[],
): SlicedWork<void> {
  const what = `Cannot patch ${quoted(path)}`;
  const second = splices.find((splice, index) => index > 0 && isOverlap(splices[index - 1] as Splice, splice));
  if (second) {
    const line = lineNumberAt(yield* lines(), second.start);
    throw new Fault("overlap", `${what}: two hunks change the same text in line ${line}`, { path, line });
  }
  const after = applySplices(text, splices);
  if (hunks.length === 0) return;
  if (kind === "delete" && after.length > contentStart(text)) {
    throw new Fault("no_match", `${what}: the file holds more than the patch deletes`, { path });
  }
  if (after === text) throw new Fault("no_change", `${what}: the file already has this text`, { path });
}
