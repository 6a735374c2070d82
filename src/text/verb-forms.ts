/** What is done to files, as it is told afterwards, and as it is told before. */
const WORDS = {
  Added: "add",
  "Appended to": "append to",
  "Brought back": "bring back",
  Copied: "copy",
  Created: "create",
  Deleted: "delete",
  Edited: "edit",
  Made: "make",
  Merged: "merge",
  Moved: "move",
  "Moved back": "move back",
  "Permissions set back": "set back the permissions of",
  Removed: "remove",
  Replaced: "replace",
  Restored: "restore",
  Updated: "update",
} as const;

export type VerbForms = keyof typeof WORDS;

/** The same while nothing has happened: "Would move". */
export const imperativeOf = (done: VerbForms): string => `Would ${WORDS[done]}`;
