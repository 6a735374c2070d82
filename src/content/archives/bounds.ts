import { Fault, hasCode } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";

/** Says that an archive is not what it declares to be. */
export const damagedFault = (state: string): Fault =>
  new Fault("io", `${DAMAGED}${state}`, {
    hint: "The archive is damaged or made to deceive: get it again, or tell the user",
  });

const DAMAGED = "Cannot read the archive: ";

/** Returns what is wrong with a damaged archive; undefined for any other failure. */
export const damageIn = (error: unknown): string | undefined =>
  hasCode(error, "io") && error.message.startsWith(DAMAGED) ? error.message.slice(DAMAGED.length) : undefined;

/** Throws for an entry that claims to grow beyond all measure. */
export function requireSaneSize(size: number, packed: number): void {
  const isBomb = size > LIMITS.archiveRatioBytes && size > packed * LIMITS.archiveRatio;
  if (!isBomb && size <= LIMITS.archiveUnpackedBytes) return;
  throw bombFault(isBomb ? `${packed} bytes unpack to ${size}` : `it unpacks to ${size} bytes`);
}

const bombFault = (state: string): Fault =>
  new Fault("too_large", `Cannot unpack it: ${state}`, {
    hint: `At most ${LIMITS.archiveUnpackedBytes} bytes, and ${LIMITS.archiveRatio} times the packed size, are unpacked`,
  });

export function requireFewEntries(count: number): void {
  if (count <= LIMITS.archiveEntries) return;
  throw new Fault("too_large", `Cannot list the archive: it has more than ${LIMITS.archiveEntries} entries`, {
    hint: "Unpack it with another program",
  });
}

/** Passes on what is unpacked of a whole archive, and throws once it is more than the packed bytes can honestly hold. */
export async function* withinBounds(chunks: AsyncIterable<Uint8Array>, packed: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    requireSaneSize(size, packed);
    yield chunk;
  }
}

/** Passes on exactly the bytes that an entry declares. Throws where there are more, fewer or others. */
export async function* exactly(
  chunks: AsyncIterable<Uint8Array>,
  size: number,
  isRight: (chunk: Uint8Array | undefined) => boolean = () => true,
): AsyncGenerator<Uint8Array> {
  let left = size;
  for await (const chunk of chunks) {
    left -= chunk.length;
    if (left < 0) throw damagedFault("an entry is longer than it declares");
    isRight(chunk);
    yield chunk;
  }
  if (left > 0) throw damagedFault("an entry is shorter than it declares");
  if (!isRight(undefined)) throw damagedFault("the checksum of an entry is wrong");
}
