import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What git cannot hold, or not on every system: by path, relative to the root. A path that ends in "/" is a directory. */
export type Layout = Readonly<Record<string, Laid>>;

interface Laid {
  readonly text?: string;
  readonly encoding?: "utf16le" | "utf16be" | "latin1";
  readonly base64?: string;
  /** How often the text is written. */
  readonly times?: number;
  readonly link?: string;
  /** Octal. */
  readonly mode?: string;
  readonly modified?: string;
}

/** Adds all that is laid out to a root. */
export function lay(root: string, layout: Layout): void {
  for (const [name, laid] of Object.entries(layout)) layOne(join(root, name), name.endsWith("/"), laid);
}

function layOne(path: string, isDirectory: boolean, laid: Laid): void {
  mkdirSync(isDirectory ? path : dirname(path), { recursive: true });
  if (laid.link !== undefined) return symlinkSync(laid.link, path);
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
