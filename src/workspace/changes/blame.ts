import { Fault } from "../../base/errors.ts";
import { runInSlices, type SlicedWork } from "../../base/time-slicing.ts";
import type { SafePath } from "../../storage/storage.ts";
import { type LineChange, lineChanges } from "../../text/diff/line-changes.ts";
import type { ChangeRecord, Effect } from "./change.ts";
import { contentsOf, diffText } from "./change-diff.ts";
import type { View } from "../view.ts";
import { readWholeFile } from "../read/whole-file.ts";

/**
 * Pairs a line of a file with the change that wrote it. Without a record, the line is older than the history, or
 * another program wrote it.
 */
export interface BlamedLine {
  readonly text: string;
  readonly record?: ChangeRecord | undefined;
}

/**
 * Finds the change that wrote each line: goes back from the newest change, attributes the lines that each one added,
 * and maps the others to the text before it.
 */
export async function blame(view: View, place: SafePath): Promise<readonly BlamedLine[]> {
  const text = await diffText((await view.withFile(place, readWholeFile)).bytes);
  if (text === null) throw new Fault("not_text", `Cannot blame ${JSON.stringify(view.nameOf(place))}: it is not text`);
  const lines = linesIn(text);
  const authors: (ChangeRecord | undefined)[] = lines.map(() => undefined);
  let state: BlameState | null = { path: place, text, origins: [...lines.keys()] };
  for await (const record of view.history.records(view.checkpoint)) {
    for (const effect of record.effects.toReversed())
      state = state && (await stepBack(state, record, effect, view, authors));
    if (!state) break;
  }
  return lines.map((line, nth) => ({ text: line, record: authors[nth] }));
}

/** Describes the file at one point of its history: its path, its text, and the line of today that each line became. */
interface BlameState {
  readonly path: SafePath;
  readonly text: string;
  /** Is undefined for a line that did not survive until today. */
  readonly origins: readonly (number | undefined)[];
}

type Authors = (ChangeRecord | undefined)[];

/** Returns null when the file cannot be followed further back. */
async function stepBack(
  state: BlameState,
  record: ChangeRecord,
  effect: Effect,
  view: View,
  authors: Authors,
): Promise<BlameState | null> {
  if (effect.path !== state.path || !CONTENT_ACTIONS.includes(effect.action)) return state;
  if (effect.action === "move") return { ...state, path: effect.from ?? state.path };
  const [older, newer] = await contentsOf(effect, view);
  const [before, after] = [older && (await diffText(older)), newer && (await diffText(newer))];
  if (before === null || after === null) return null;
  // Lines that other programs wrote since have no author.
  const current = await runInSlices(attributeLines(state, after, undefined, authors), view.checkpoint);
  return runInSlices(attributeLines(current, before, record, authors), view.checkpoint);
}

const CONTENT_ACTIONS: readonly Effect["action"][] = ["create", "replace", "append", "copy", "move"];

/** Returns the state with the text before a change, and attributes the lines that the change added to its author. */
function* attributeLines(
  { path, text, origins }: BlameState,
  before: string,
  author: ChangeRecord | undefined,
  authors: Authors,
): SlicedWork<BlameState> {
  const changes = yield* lineChanges(before, text);
  const isNew = withinOneOf(changes.map(({ afterFrom, afterTo }) => [afterFrom, afterTo]));
  const surviving: (number | undefined)[] = [];
  let at = 0;
  for (const [nth, line] of linesIn(text).entries()) {
    const origin = origins[nth];
    if (!isNew(at)) surviving.push(origin);
    else if (origin !== undefined && author) authors[origin] = author;
    at += line.length;
  }
  return { path, text: before, origins: originsBefore(before, changes, surviving) };
}

/** Maps the lines before a change: replaced lines have no origin, and the others keep their order. */
function originsBefore(
  before: string,
  changes: readonly LineChange[],
  surviving: readonly (number | undefined)[],
): readonly (number | undefined)[] {
  const wasReplaced = withinOneOf(changes.map(({ from, to }) => [from, to]));
  let [at, next] = [0, 0];
  return linesIn(before).map((line) => {
    const isGone = wasReplaced(at);
    at += line.length;
    return isGone ? undefined : surviving[next++];
  });
}

/** Must be called with ascending positions: the ranges are sorted too, so one pass is enough. */
function withinOneOf(ranges: readonly (readonly [from: number, to: number])[]): (at: number) => boolean {
  let nth = 0;
  return (at) => {
    while (at >= (ranges[nth]?.[1] ?? Infinity)) nth++;
    return at >= (ranges[nth]?.[0] ?? Infinity);
  };
}

/** Splits a text into lines that keep their line breaks. */
const linesIn = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
