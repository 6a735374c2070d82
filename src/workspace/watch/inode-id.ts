import type { Facts, Kind } from "../../storage/storage.ts";

/**
 * A number that names an object on the disk, and its kind. There may be a hundred thousand of them: a number takes a
 * fifth of what a text would. Two objects share one once in a thousand million million.
 */
export type InodeId = number;

const KINDS: readonly Kind[] = ["file", "directory", "symlink", "other"];

/** For what was only listed: its kind. */
export const unknownInode = (kind: Kind): InodeId => KINDS.indexOf(kind);

/** One character for a kind, and back from a text that begins with it. */
export const kindDigit = (kind: Kind): string => String(KINDS.indexOf(kind));
export const kindOfDigit = (signed: string): Kind => KINDS[signed.charCodeAt(0) - FIRST_DIGIT] as Kind;

const FIRST_DIGIT = kindDigit("file").charCodeAt(0);

export const isKnownInode = (inodeId: InodeId): boolean => inodeId >= KINDS.length;

export const kindOfInode = (inodeId: InodeId): Kind => KINDS[inodeId % KINDS.length] as Kind;

/** A disk gives the number of a deleted file to the next: the time of birth tells them apart. */
export const inodeIdOf = ({ kind, identity, createdMs }: Facts): InodeId =>
  (1 + digest(`${identity}:${createdMs}`)) * KINDS.length + KINDS.indexOf(kind);

/** Another number whenever the content or the mode may be another. */
export const contentStampOf = ({ identity, size, times }: Facts): number => digest(`${identity}:${size}:${times}`);

/** Two remainders by primes just below 2^25, as one number of 50 bits. */
function digest(text: string): number {
  let one = 7;
  let two = 11;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = (one * 257 + code) % 33_554_393;
    two = (two * 263 + code) % 33_554_383;
  }
  return one * 33_554_432 + two;
}
