/** Says what each code means. The table of codes in the sources says what to do next. */
const MEANINGS = {
  invalid_input: "An argument is missing, unknown or has a wrong value",
  unknown_tool: "There is no tool of this name, or not for this session",
  outside_workspace: "The path, or a link on the way, leads out of the roots",
  denied: "A rule blocks it, a person or a hook refused it, or the session is read-only",
  approval: "A rule wants an approval first",
  pending: "A question waits for an answer",
  expired: "A question was not answered in time",
  loop: "The loop guard refuses a call that only repeats itself",
  not_found: "The path, trash entry or change does not exist",
  not_a_file: "The path is a directory, and the tool needs a file",
  not_a_directory: "The path, or a part of it, is a file, and the tool needs a directory",
  special_file: "The path is a FIFO, a socket or a device",
  no_permission: "The operating system does not let the server's user do this",
  not_text: "The file is binary, or is no text in the encoding that the call names",
  no_match: "The text to replace, or the context of a hunk, is not in the file",
  many_matches: "The text to replace is in several places",
  no_change: "The file already has this content, or there is nothing to undo",
  overlap: "Two edits or hunks change the same text",
  bad_patch: "The patch cannot be parsed",
  cannot_encode: "The encoding of the file lacks a character of the new text",
  too_large: "The file, the arguments or the result exceed a limit",
  exists: "Something is already at the target",
  not_empty: "The directory is not empty",
  conflict: "Both sides changed the same lines, so they cannot be merged",
  disk_full: "The disk is full",
  read_only: "The disk is mounted read-only",
  too_many_watches: "The session or the operating system allows no more watches",
  busy: "Another process holds the lock for too long",
  stale: "The file has changed since the version that the call expects",
  swapped: "Another program keeps replacing the path during the call",
  root_gone: "A root was removed or replaced",
  cancelled: "The client cancelled the call",
  timeout: "A plugin, a hook or a mounted server took too long",
  tool_error: "A tool of a plugin or of a mounted server failed",
  io: "The operating system reported an unexpected error",
};

const HEADING = `# Error codes

Written by \`node scripts/write-errors-doc.mjs\` from \`src/base/errors.ts\`; do not edit.

A call that fails is an answer with a code, a message and a hint; the server keeps running. Over MCP the answer has
\`isError: true\`, its text says all three, and \`_meta["holdfast/error"]\` has them as data, with details such as \`path\`.
From TypeScript they are in the \`error\` of the result. \`holdfast call\` prints them and exits with 1. The audit log
records the code (\`holdfast audit show --code denied\`). Dialects translate codes into those of their own systems.

The hint below is the general one; an answer may carry a more exact one. A call that fails has changed no file, but what
a plugin or a mounted server did meanwhile stays done.
`;

/** Returns the Markdown reference of the error codes. Throws where meanings and codes are not the same. */
export function errorsDoc(codes) {
  const unknown = Object.keys(MEANINGS).filter((code) => !(code in codes));
  const missing = Object.keys(codes).filter((code) => !(code in MEANINGS));
  if (unknown.length + missing.length > 0)
    throw new Error(`codes without meaning: [${missing.join(", ")}]; meanings without code: [${unknown.join(", ")}]`);
  const rows = Object.entries(codes).map(
    ([code, { kind, hint }]) => `| \`${code}\` | ${kind} | ${MEANINGS[code]} | ${hint} |`,
  );
  return `${HEADING}\n${["| Code | Kind | Meaning | What to do next |", "|---|---|---|---|", ...rows].join("\n")}\n`;
}
