import { Fault } from "../../../base/errors.ts";
import type { SlicedWork } from "../../../base/time-slicing.ts";
import { describeBinary } from "../../../content/media.ts";
import type { LineStats } from "../../../text/diff/diff.ts";
import { detectEncoding } from "../../../text/encoding/detect.ts";
import { decode } from "../../../text/encoding/encoding.ts";
import type { Splice } from "../../../text/edit/splice.ts";
import { spliceDiff } from "../../../text/edit/splice-diff.ts";
import { spliceBytes } from "../../../text/edit/splice-bytes.ts";
import type { SearchableText } from "../../../workspace/view.ts";

/** A decoded file together with its bytes. */
export interface DecodedFile {
  readonly bytes: Uint8Array;
  readonly label: string;
  readonly text: string;
}

/** Decodes a file that is to be changed. Refuses a file that is not text. */
export async function decodedFile(bytes: Uint8Array, path: string): Promise<DecodedFile> {
  const encoding = await detectEncoding(bytes, true);
  if (encoding) return { bytes, label: encoding.label, text: decode(bytes, encoding.label) };
  const what = await describeBinary(bytes, bytes.length);
  throw new Fault("not_text", `Cannot edit ${JSON.stringify(path)}: it is ${what}`, { path });
}

/** Maps splices of the redacted text to splices of the real text. */
export function* realSplices(splices: readonly Splice[], searchable: SearchableText): SlicedWork<readonly Splice[]> {
  const real: Splice[] = [];
  let last = { text: "", real: "" };
  for (const splice of splices) {
    yield;
    if (splice.text !== last.text) last = { text: splice.text, real: searchable.restored(splice.text) };
    real.push({ ...splice, text: last.real });
  }
  return real;
}

export interface Respliced {
  readonly bytes: Uint8Array;
  readonly diff: string;
  readonly lines: LineStats;
}

/** Applies all splices. Every byte outside of them stays the same. */
export function* applySplices(
  file: DecodedFile,
  splices: readonly Splice[],
  path: string,
  fromPath?: string,
): SlicedWork<Respliced> {
  const bytes = yield* spliceBytes(file.bytes, file.label, file.text, splices);
  const names = { path, ...(fromPath !== undefined && { fromPath }) };
  const { text, added, removed } = yield* spliceDiff(file.text, splices, names);
  return { bytes, diff: text, lines: { added, removed } };
}
