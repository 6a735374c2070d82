import { type Facts, type Kind, KINDS } from "../../storage/facts.ts";

/**
 * Identifies an object on the disk and its kind. A watch may hold a hundred thousand, and a number takes a fifth of the
 * memory of a string. It is a hash of 50 bits: the chance that two objects share one is about 1 in 10^15.
 */
export type InodeId = number;

/** Returns the id of an entry that was listed but not yet stat'ed: only its kind is known. */
export const unknownInode = (kind: Kind): InodeId => KINDS.indexOf(kind);

export const isKnownInode = (inodeId: InodeId): boolean => inodeId >= KINDS.length;

export const kindOfInode = (inodeId: InodeId): Kind => KINDS[inodeId % KINDS.length] as Kind;

/** Includes the birth time, because a file system gives the inode number of a deleted file to the next one. */
export const inodeIdOf = ({ kind, identity, createdMs }: Facts): InodeId =>
  (1 + hashOf(`${identity}:${createdMs}`)) * KINDS.length + KINDS.indexOf(kind);

/** Returns a hash that changes whenever the content or the mode may have changed. */
export const contentStampOf = ({ identity, size, times }: Facts): number => hashOf(`${identity}:${size}:${times}`);

/** Combines two polynomial hashes, modulo primes just below 2^25, into one number of 50 bits. */
function hashOf(text: string): number {
  let one = 7;
  let two = 11;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = (one * 257 + code) % 33_554_393;
    two = (two * 263 + code) % 33_554_383;
  }
  return one * 33_554_432 + two;
}
