import { chmodSync, linkSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Describes files that git cannot store, or not on every system, by path relative to the root. A path that ends in "/"
 * is a directory; null means that there is nothing.
 */
export type Layout = Readonly<Record<string, Laid | null>>;

export interface Laid {
  readonly text?: string;
  readonly encoding?: "utf16le" | "utf16be" | "latin1";
  readonly base64?: string;
  /** The number of times that the text is written. */
  readonly times?: number;
  readonly link?: string;
  /** Another name of a file that is laid out before, relative to the root. */
  readonly hard_link?: string;
  /** Octal. */
  readonly mode?: string;
  readonly modified?: string;
}

/** Adds all that is laid out to a root. */
export function lay(root: string, layout: Layout): void {
  for (const [name, laid] of Object.entries(layout)) if (laid) layOne(root, name, laid);
}

function layOne(root: string, name: string, laid: Laid): void {
  const path = join(root, name);
  const isDirectory = name.endsWith("/");
  mkdirSync(isDirectory ? path : dirname(path), { recursive: true });
  if (laid.link !== undefined) return symlinkSync(laid.link, path);
  if (laid.hard_link !== undefined) return linkSync(join(root, laid.hard_link), path);
  if (!isDirectory) writeFileSync(path, bytesOf(laid));
  if (laid.mode !== undefined) chmodSync(path, Number.parseInt(laid.mode, 8));
  if (laid.modified !== undefined) utimesSync(path, new Date(laid.modified), new Date(laid.modified));
}

function bytesOf({ text = "", encoding, base64, times = 1 }: Laid): Buffer {
  if (base64 !== undefined) return Buffer.from(base64, "base64");
  const whole = text.repeat(times);
  if (encoding === "utf16be") return Buffer.from(whole, "utf16le").swap16();
  return Buffer.from(whole, encoding ?? "utf8");
}
