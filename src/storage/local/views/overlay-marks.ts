import { chmodSync, lstatSync } from "node:fs";
import type { Kernel } from "../jail/kernel.ts";

/** The marks of overlayfs on an entry, without their prefix. */
export function marksOf(kernel: Kernel, at: Buffer): ReadonlySet<string> {
  const names = kernel.attributes(at).filter((name) => MARK.test(name));
  return names.length === 0 ? NO_MARKS : new Set(names.map((name) => name.replace(MARK, "")));
}

const NO_MARKS: ReadonlySet<string> = new Set();

/** A mount of root has trusted marks, unless it asks for those that a user can have. */
const MARK = /^(?:user|trusted)\.overlay\./;

/** Removes the marks, also from a file that its owner may not write to. */
export function removeMarks(kernel: Kernel, at: Buffer): void {
  const names = kernel.attributes(at).filter((name) => MARK.test(name));
  if (names.every((name) => kernel.removeAttribute(at, name))) return;
  const { mode } = lstatSync(at);
  chmodSync(at, (mode & 0o7777) | 0o200);
  for (const name of names) kernel.removeAttribute(at, name);
  chmodSync(at, mode & 0o7777);
}
