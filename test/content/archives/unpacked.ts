import { isFault } from "../../../src/base/errors.ts";
import { openArchive } from "../../../src/content/archives/archive.ts";
import type { ByteSource } from "../../../src/content/byte-source.ts";

/** Serves bytes in memory as a source. */
const sourceOf = (bytes: Buffer): ByteSource => ({
  size: bytes.length,
  read: (into, position) => bytes.subarray(position).copy(into),
});

/** Lists and unpacks a whole archive: what each entry holds, or why it cannot be had. Refused names begin with "!". */
export async function unpackedFrom(bytes: Buffer, name = "data"): Promise<Readonly<Record<string, string>> | string> {
  try {
    const source = sourceOf(bytes);
    const archive = await openArchive(source, name, () => {});
    if (!archive) return "not an archive";
    const found: [string, string][] = archive.refused.map(({ shown, problem }) => [`!${shown}`, problem]);
    for (const entry of archive.entries) {
      const { path, kind, problem, target, mode } = entry;
      const text = async (): Promise<string> => {
        const chunks: Uint8Array[] = [];
        for await (const chunk of archive.bytesOf(source, entry)) chunks.push(chunk);
        return Buffer.concat(chunks).toString("latin1");
      };
      const content =
        kind === "file" && problem === undefined ? await text().catch(messageOf) : (problem ?? target ?? "");
      found.push([path, `${kind} ${mode.toString(8)} ${content}`.trimEnd()]);
    }
    return Object.fromEntries(found);
  } catch (error) {
    return messageOf(error);
  }
}

/** Returns the code and the message of a fault. Anything else is a defect. */
function messageOf(error: unknown): string {
  if (!isFault(error)) throw error;
  return `${error.code}: ${error.message}`;
}
