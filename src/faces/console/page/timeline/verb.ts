import type { IconName } from "../atoms/icons.ts";

/** Maps names of tools, ours and those of other systems, to a short verb and its icon; the first that fits. */
const VERBS: readonly (readonly [RegExp, string, IconName])[] = [
  [/^approval$/, "answer", "check"],
  [/extract|unzip/i, "unpack", "folder"],
  [/compress|^zip/i, "pack", "folder"],
  [/undo|revert/i, "undo", "undo"],
  [/patch/i, "patch", "patch"],
  [/edit|replace|insert/i, "edit", "edit"],
  [/write|create_file|save/i, "write", "write"],
  [/mkdir|(make|create)_dir/i, "mkdir", "folder"],
  [/delete|remove|trash|purge/i, "delete", "trash"],
  [/move|rename/i, "move", "move"],
  [/copy/i, "copy", "copy"],
  [/exec|run|bash|shell|command|process/i, "run", "run"],
  [/grep|search|find|glob/i, "search", "search"],
  [/^ls|list|tree/i, "list", "files"],
  [/read|cat|view|open/i, "read", "read"],
];

/** Returns the verb of a tool, or its name if there is none. */
export const verbOf = (tool: string): string => VERBS.find(([pattern]) => pattern.test(tool))?.[1] ?? tool;

export const iconOf = (tool: string): IconName => VERBS.find(([pattern]) => pattern.test(tool))?.[2] ?? "timeline";
