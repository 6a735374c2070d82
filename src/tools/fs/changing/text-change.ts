import { runInSlices } from "../../../base/time-slicing.ts";
import type { Splice } from "../../../text/edit/splice.ts";
import type { Change } from "../../../workspace/changes/change.ts";
import { readWholeFile } from "../../../workspace/read/whole-file.ts";
import type { View } from "../../../workspace/view.ts";
import { quotedName } from "./change-answer.ts";
import { mkdirMissingParents } from "./preconditions.ts";
import { decodedFile, applySplices } from "./splicing.ts";

/**
 * The changes that give a file a new text, with a line and a diff for the answer. The list is empty if the text stays
 * the same.
 */
export interface TextChange {
  readonly changes: readonly Change[];
  readonly line: string;
  readonly diff?: string | undefined;
}

/**
 * Plans the change of a file to the text that `make` returns for its current text, which is null if there is no file
 * yet. The file keeps its encoding, and its bytes wherever the text stays the same. If the file changes before the
 * commit, the change is planned again.
 */
export async function planTextChange(
  view: View,
  path: string,
  make: (text: string | null) => string,
): Promise<TextChange> {
  const target = await view.resolveTarget(path, "follow");
  const { place } = target;
  const name = quotedName(view, place);
  if (!target.now) {
    const fresh: Change = { kind: "write", path: place, content: Buffer.from(make(null)), expect: null };
    return { changes: [...mkdirMissingParents(target), fresh], line: `Created ${name}` };
  }
  const now = await view.withFile(path, readWholeFile);
  const original = await decodedFile(now.bytes, path);
  const text = make(original.text);
  if (text === original.text) return { changes: [], line: `Left as it is: ${name}` };
  const splices = [differenceOf(original.text, text)];
  const { bytes, diff, lines } = await runInSlices(
    applySplices(original, splices, view.nameOf(place)),
    view.checkpoint,
  );
  const change: Change = { kind: "write", path: place, content: bytes, expect: now.version, lines };
  return { changes: [change], line: `Changed ${name}`, diff };
}

/**
 * Returns one splice of whole lines between the common start and the common end of both texts, so that no character is
 * cut.
 */
function differenceOf(before: string, after: string): Splice {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same++;
  const start = before.slice(0, same).lastIndexOf("\n") + 1;
  let [end, to] = [before.length, after.length];
  while (end > start && to > start && before[end - 1] === after[to - 1]) [end, to] = [end - 1, to - 1];
  const rest = before.indexOf("\n", end) - end + 1;
  const more = rest > 0 ? rest : before.length - end;
  return { start, end: end + more, text: after.slice(start, to + more), tier: "exact" };
}
