import { Fault } from "../../base/errors.ts";

/** The values of an entry, by key. A value that an editor cannot interpret is `OPAQUE`. */
export type ConfigEntry = Readonly<Record<string, unknown>>;

/** Stands for a value that is there but was not interpreted. It equals nothing that is written. */
export const OPAQUE = Symbol("opaque");

/** Names an entry: the keys from the top of the file to it. */
export type EntryPath = readonly [string, ...string[]];

/** Edits one entry of a configuration file as text. All throw a fault for a file that they do not understand. */
export interface ConfigEditor {
  /** Returns the entry, or undefined if there is none. */
  find(text: string, path: EntryPath): ConfigEntry | undefined;
  /** Adds the entry, or replaces the whole entry of this path. */
  put(text: string, path: EntryPath, entry: ConfigEntry): string;
  /** Removes the entry. Returns the text as it is if there is none. */
  remove(text: string, path: EntryPath): string;
}

/** The line break of the file: the first one that it has. */
export const lineBreakOf = (text: string): string => (/\r?\n/.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n");

/** A fault about the form of a file. Its message completes "Cannot change <file>: ". */
export const formFault = (reason: string): Fault => new Fault("invalid_input", reason);

/** Returns the number of the line that holds an offset, from 1. */
export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length;

/** Returns true if a key path begins with another one. */
export const startsWith = (path: readonly string[], start: readonly string[]): boolean =>
  start.every((part, nth) => path[nth] === part);
