import { unusableValueFault } from "./value-with-origin.ts";

/** Lists the flags of the commands that make one call: read, ls, tree, find, grep and edit. */
export const VIEW_FLAGS = {
  offset: { type: "string", value: "<n>", only: ["read"], help: "Begin with this line, from 1" },
  tail: { type: "string", value: "<n>", only: ["read"], help: "Show the last lines" },
  "line-numbers": { type: "boolean", short: "n", only: ["read", "grep"], help: "Show line numbers; grep always does" },
  levels: { type: "string", short: "L", value: "<n>", only: ["tree"], help: "Go this deep" },
  type: { type: "string", value: "<type>", only: ["find"], help: "Find only a file, directory or symlink" },
  hidden: { type: "boolean", only: ["tree", "find", "grep"], help: "Include hidden files" },
  "no-ignore": { type: "boolean", only: ["tree", "find", "grep"], help: "Include files that .gitignore excludes" },
  "ignore-case": { type: "boolean", short: "i", only: ["grep"], help: "Ignore upper and lower case" },
  fixed: { type: "boolean", short: "F", only: ["grep"], help: "Search for text instead of a regular expression" },
  word: { type: "boolean", short: "w", only: ["grep"], help: "Match whole words" },
  context: { type: "string", short: "C", value: "<n>", only: ["grep"], help: "Show lines before and after" },
  glob: { type: "string", short: "g", value: "<glob>", only: ["grep"], help: "Search only matching files" },
  files: { type: "boolean", short: "l", only: ["grep"], help: "List only the files" },
  count: { type: "boolean", short: "c", only: ["grep"], help: "Count the matches of each file" },
  old: { type: "string", value: "<text>", only: ["edit"], help: "Replace this text, which must be there once" },
  new: { type: "string", value: "<text>", only: ["edit"], help: "Write this text instead" },
  every: { type: "boolean", only: ["edit"], help: "Replace it everywhere in the file" },
} as const;

/** Holds these flags. */
export type ViewFlags = {
  readonly [Name in keyof typeof VIEW_FLAGS]?:
    | ((typeof VIEW_FLAGS)[Name]["type"] extends "boolean" ? boolean : string)
    | undefined;
};

/** Picks these flags out of all that were given. */
export const viewFlagsOf = (values: ViewFlags): ViewFlags =>
  Object.fromEntries(Object.keys(VIEW_FLAGS).map((name) => [name, values[name as keyof ViewFlags]]));

/** Returns the number of a flag. Throws unless it is a positive integer. */
export function countOf(flags: ViewFlags, name: "offset" | "tail" | "levels" | "context"): number | undefined {
  const value = flags[name];
  if (value === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw unusableValueFault({ origin: `--${name}`, value }, "give a number, such as 3");
}
