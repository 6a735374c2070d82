/**
 * Marks arguments that are accepted but not shown to models, because every word of a schema costs tokens in every
 * conversation. docs/tools.md gives the reason. An argument that a note, a hint or a message names must be listed.
 */
export const UNLISTED = {
  rare: { unlisted: "the default is right for nearly every call" },
  program: { unlisted: "for programs that page, verify or compare" },
  report: { unlisted: "for reports on many files" },
  spelling: { unlisted: "another way to write edits" },
  input: { unlisted: "another way to write input" },
  context: { unlisted: "a hunk carries its context; strict schemas have no maps" },
  again: { unlisted: "what was approved is simply called again" },
} as const;
