import { Buffer } from "node:buffer";
import type { SlicedWork } from "../../base/time-slicing.ts";
import { certainChanges, countLinesInSteps } from "./line-changes.ts";
import type { LineFeed } from "../line-feeds.ts";

/** A region that both sides changed differently. `line` counts from 1 in the base. */
export interface Region<Content> {
  readonly line: number;
  readonly base: Content;
  readonly ours: Content;
  readonly theirs: Content;
}

interface Conflict<Content> {
  readonly kind: "conflict";
  readonly regions: readonly Region<Content>[];
}

export type Merge = { readonly kind: "merged"; readonly text: string } | Conflict<string>;

/**
 * Merges the changes that two sides made to one base, or returns every conflict. It never writes conflict markers.
 * Changes conflict if they share a line or touch each other; only lines that are replaced one for one may be adjacent,
 * as when each of many agents edits its own line. If a side may have changed any of several equal lines, its change
 * spans them all. The same change on both sides is applied once.
 */
export function* merge3(base: string, ours: string, theirs: string): SlicedWork<Merge> {
  const parts: string[] = [];
  const regions: Region<string>[] = [];
  let [done, counted, line] = [0, 0, 1];
  const edits = [...(yield* editsOf(base, ours, "ours")), ...(yield* editsOf(base, theirs, "theirs"))];
  for (const group of groupsOf(edits)) {
    yield;
    const kept = base.slice(group.from, group.to);
    const [mine, other] = [sideOf(base, group, "ours"), sideOf(base, group, "theirs")];
    if (mine !== kept && other !== kept && mine !== other) {
      line += yield* countLinesInSteps(base, counted, group.from);
      counted = group.from;
      regions.push({ line, base: kept, ours: mine, theirs: other });
    }
    parts.push(base.slice(done, group.from), mine === kept ? other : mine);
    done = group.to;
  }
  if (regions.length > 0) return { kind: "conflict", regions };
  return { kind: "merged", text: parts.join("") + base.slice(done) };
}

export type ByteMerge = { readonly kind: "merged"; readonly bytes: Uint8Array } | Conflict<Uint8Array>;

/**
 * Merges bytes without decoding them, so that bytes that are invalid in the encoding survive. `feed` is the form of
 * line feeds.
 */
export function* mergeBytes(
  base: Uint8Array,
  ours: Uint8Array,
  theirs: Uint8Array,
  feed: LineFeed,
): SlicedWork<ByteMerge> {
  const isDamaged = feed !== "byte" && [base, ours, theirs].some(({ length }) => length % 2 !== 0);
  const { read, write } = VIEWS[isDamaged ? "whole" : feed];
  const texts: string[] = [];
  for (const bytes of [base, ours, theirs]) {
    yield;
    texts.push(read(bytes));
  }
  const [old = "", mine = "", other = ""] = texts;
  const merge = yield* merge3(old, mine, other);
  if (merge.kind === "merged") return { kind: "merged", bytes: write(merge.text) };
  const regions = merge.regions.map((region) => ({
    line: region.line,
    base: write(region.base),
    ours: write(region.ours),
    theirs: write(region.theirs),
  }));
  return { kind: "conflict", regions };
}

type Side = "ours" | "theirs";

interface Edit {
  readonly side: Side;
  readonly from: number;
  readonly to: number;
  readonly inPlace: boolean;
  readonly text: string;
}

function* editsOf(base: string, changed: string, side: Side): SlicedWork<readonly Edit[]> {
  return (yield* certainChanges(base, changed)).map(({ from, to, inPlace, afterFrom, afterTo }) => ({
    side,
    from,
    to,
    inPlace,
    text: changed.slice(afterFrom, afterTo),
  }));
}

/** Edits that conflict, and the range of the base that they span together. */
interface Group {
  readonly from: number;
  to: number;
  readonly edits: Edit[];
}

function groupsOf(edits: readonly Edit[]): readonly Group[] {
  const groups: Group[] = [];
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    const last = groups.at(-1);
    if (last === undefined || !touchesGroup(last, edit)) {
      groups.push({ from: edit.from, to: edit.to, edits: [edit] });
      continue;
    }
    last.edits.push(edit);
    last.to = Math.max(last.to, edit.to);
  }
  return groups;
}

function touchesGroup({ to, edits }: Group, edit: Edit): boolean {
  if (edit.from !== to) return edit.from < to;
  return !(edit.inPlace && edits.every(({ inPlace }) => inPlace));
}

/** Returns one side's version of the range. */
function sideOf(base: string, { from, to, edits }: Group, side: Side): string {
  const parts: string[] = [];
  let done = from;
  for (const edit of edits) {
    if (edit.side !== side) continue;
    parts.push(base.slice(done, edit.from), edit.text);
    done = edit.to;
  }
  return parts.join("") + base.slice(done, to);
}

/** Converts bytes to text and back without loss. */
interface ByteView {
  read(bytes: Uint8Array): string;
  write(text: string): Uint8Array;
}

/** Wraps the same memory, without a copy. */
const bufferOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length);

const byteView: ByteView = {
  read: (bytes) => bufferOf(bytes).toString("latin1"),
  write: (text) => Buffer.from(text, "latin1"),
};

/**
 * The view of each kind of line feed. `whole` treats the file as one line: half a character at the end means that the
 * other character boundaries are unknown.
 */
const VIEWS: Readonly<Record<LineFeed | "whole", ByteView>> = {
  byte: byteView,
  "utf-16le": {
    read: (bytes) => bufferOf(bytes).toString("utf16le"),
    write: (text) => Buffer.from(text, "utf16le"),
  },
  "utf-16be": {
    read: (bytes) => Buffer.from(bytes).swap16().toString("utf16le"),
    write: (text) => Buffer.from(text, "utf16le").swap16(),
  },
  whole: {
    read: (bytes) => byteView.read(bytes).replaceAll("\n", "\u0100"),
    write: (text) => byteView.write(text.replaceAll("\u0100", "\n")),
  },
};
