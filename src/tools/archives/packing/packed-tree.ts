import { createHash } from "node:crypto";
import { packArchive, type WritableFormat } from "../../../content/archives/archive-writer.ts";
import type { StreamedTree } from "../../../storage/writer.ts";
import type { View } from "../../../workspace/view.ts";
import type { CollectedEntry } from "./collect-entries.ts";
import { changedFault, stampOf } from "./unpackable-tree.ts";

/** Describes an archive as a single file that is packed while it is written. */
export const packedTree = (view: View, format: WritableFormat, entries: readonly CollectedEntry[]): StreamedTree => ({
  source: digestOf(entries),
  entries: [{ path: "", kind: "file" }],
  withContents: (use) => use(() => packArchive(format, entries, (entry) => contentOf(view, entry))),
});

/** Returns a text that differs once anything that is packed does. */
function digestOf(entries: readonly CollectedEntry[]): string {
  const hash = createHash("sha256");
  for (const { path, stamp, mode } of entries) hash.update(JSON.stringify([path, stamp, mode]));
  return hash.digest("hex");
}

/** Reads a file in steps, each through the view. Throws where it is not the file that was found. */
async function* contentOf(view: View, { place, size, stamp }: CollectedEntry): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size;) {
    const chunk = await view.withFile(place, async (file) => {
      if (stampOf(file.facts) !== stamp) throw changedFault(view.nameOf(place));
      const into = Buffer.allocUnsafe(Math.min(STEP, size - at));
      return into.subarray(0, await file.read(into, at));
    });
    if (chunk.length === 0) throw changedFault(view.nameOf(place));
    at += chunk.length;
    yield chunk;
  }
}

const STEP = 1024 ** 2;
