import { Fault } from "../../base/errors.ts";
import { runInSlices, type SlicedWork } from "../../base/time-slicing.ts";
import type { SafePath } from "../../storage/storage.ts";
import { type LineChange, lineChanges } from "../../text/diff/line-changes.ts";
import type { ChangeRecord, Effect } from "./change.ts";
import { contentsOf, diffText } from "./change-diff.ts";
import type { View } from "../view.ts";
import { readWholeFile } from "../read/whole-file.ts";

/** A line of a file, and the change that wrote it; without one it is older than the history, or somebody else's. */
export interface BlamedLine {
  readonly text: string;
  readonly record?: ChangeRecord | undefined;
}

/** Which change wrote which line: from the newest back, each takes what it put there, and hands on the rest. */
export async function blame(view: View, place: SafePath): Promise<readonly BlamedLine[]> {
  const text = await diffText((await view.withFile(place, readWholeFile)).bytes);
  if (text === null)
    throw new Fault("not_text", `Cannot tell who wrote ${JSON.stringify(view.nameOf(place))}: no text`);
  const lines = linesIn(text);
  const authors: (ChangeRecord | undefined)[] = lines.map(() => undefined);
  let trail: BlameState | null = { path: place, text, origins: [...lines.keys()] };
  for await (const record of view.past.records(view.checkpoint)) {
    for (const effect of record.effects.toReversed())
      trail = trail && (await stepBack(trail, record, effect, view, authors));
    if (!trail) break;
  }
  return lines.map((line, nth) => ({ text: line, record: authors[nth] }));
}

/** The file as it once was: where, what, and which line of today each line is. */
interface BlameState {
  readonly path: SafePath;
  readonly text: string;
  /** Undefined where a line has been spoken for. */
  readonly origins: readonly (number | undefined)[];
}

type Authors = (ChangeRecord | undefined)[];

/** Null where the trail ends. */
async function stepBack(
  trail: BlameState,
  record: ChangeRecord,
  effect: Effect,
  view: View,
  authors: Authors,
): Promise<BlameState | null> {
  if (effect.path !== trail.path || !CONTENT.includes(effect.action)) return trail;
  if (effect.action === "move") return { ...trail, path: effect.from ?? trail.path };
  const [old, fresh] = await contentsOf(effect, view);
  const [before, after] = [old && (await diffText(old)), fresh && (await diffText(fresh))];
  if (before === null || after === null) return null;
  // What others wrote since is nobody's.
  const then = await runInSlices(attributeLines(trail, after, undefined, authors), view.checkpoint);
  return runInSlices(attributeLines(then, before, record, authors), view.checkpoint);
}

const CONTENT: readonly Effect["action"][] = ["create", "replace", "append", "copy", "move"];

/** The text that became the one at hand; lines that it had not are those of an author. */
function* attributeLines(
  { path, text, origins }: BlameState,
  before: string,
  author: ChangeRecord | undefined,
  authors: Authors,
): SlicedWork<BlameState> {
  const changes = yield* lineChanges(before, text);
  const isNew = withinOneOf(changes.map(({ afterFrom, afterTo }) => [afterFrom, afterTo]));
  const kept: (number | undefined)[] = [];
  let at = 0;
  for (const [nth, line] of linesIn(text).entries()) {
    const origin = origins[nth];
    if (!isNew(at)) kept.push(origin);
    else if (origin !== undefined && author) authors[origin] = author;
    at += line.length;
  }
  return { path, text: before, origins: originsBefore(before, changes, kept) };
}

/** Lines that were replaced lead nowhere; the others follow each other in the same order. */
function originsBefore(
  before: string,
  changes: readonly LineChange[],
  kept: readonly (number | undefined)[],
): readonly (number | undefined)[] {
  const wasReplaced = withinOneOf(changes.map(({ from, to }) => [from, to]));
  let [at, next] = [0, 0];
  return linesIn(before).map((line) => {
    const isGone = wasReplaced(at);
    at += line.length;
    return isGone ? undefined : kept[next++];
  });
}

/** Asked in order only: ranges and places both go up. */
function withinOneOf(ranges: readonly (readonly [from: number, to: number])[]): (at: number) => boolean {
  let nth = 0;
  return (at) => {
    while (at >= (ranges[nth]?.[1] ?? Infinity)) nth++;
    return at >= (ranges[nth]?.[0] ?? Infinity);
  };
}

/** With their line breaks. */
const linesIn = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
