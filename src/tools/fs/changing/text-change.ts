import { runInSlices } from "../../../base/time-slicing.ts";
import type { Splice } from "../../../text/edit/splice.ts";
import type { Change } from "../../../workspace/changes/change.ts";
import { readWholeFile } from "../../../workspace/read/whole-file.ts";
import type { View } from "../../../workspace/view.ts";
import { quotedName } from "./change-answer.ts";
import { parents } from "./preconditions.ts";
import { decodedFile, respliced } from "./splicing.ts";

/** What makes one file another, and how that is told. No changes where it would stay as it is. */
export interface TextChange {
  readonly changes: readonly Change[];
  readonly line: string;
  readonly diff?: string | undefined;
}

/**
 * The change after which a file has the text that is made of what it has now: null where there is no file yet. It keeps its
 * encoding, and its bytes wherever the text stays. When the file moves on before the change is made, it is planned again.
 */
export async function textBecomes(
  view: View,
  path: string,
  make: (text: string | null) => string,
): Promise<TextChange> {
  const target = await view.target(path, "follow");
  const { place } = target;
  const name = quotedName(view, place);
  if (!target.now) {
    const fresh: Change = { kind: "write", path: place, content: Buffer.from(make(null)), expect: null };
    return { changes: [...parents(target), fresh], line: `Created ${name}` };
  }
  const now = await view.withFile(path, readWholeFile);
  const original = await decodedFile(now.bytes, path);
  const text = make(original.text);
  if (text === original.text) return { changes: [], line: `Left as it is: ${name}` };
  const splices = [differenceOf(original.text, text)];
  const { bytes, diff, lines } = await runInSlices(respliced(original, splices, view.nameOf(place)), view.checkpoint);
  const change: Change = { kind: "write", path: place, content: bytes, expect: now.version, lines };
  return { changes: [change], line: `Changed ${name}`, diff };
}

/** The lines between what both texts begin and end with: cut there, no character is. */
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
