/** Maps the past tense of each action on files to its infinitive. */
const INFINITIVES = {
  Added: "add",
  "Appended to": "append to",
  "Brought back": "bring back",
  Copied: "copy",
  Created: "create",
  Deleted: "delete",
  Edited: "edit",
  Extracted: "extract",
  Made: "make",
  Merged: "merge",
  Moved: "move",
  "Moved back": "move back",
  Packed: "pack",
  "Permissions set back": "set back the permissions of",
  Removed: "remove",
  Replaced: "replace",
  Restored: "restore",
  Updated: "update",
} as const;

export type VerbForms = keyof typeof INFINITIVES;

/** Returns the conditional for a change that has not happened: "Would move". */
export const conditionalOf = (done: VerbForms): string => `Would ${INFINITIVES[done]}`;
