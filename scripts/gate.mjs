/** The tree a gate judges: its first argument that is no flag, else the working directory. */
export const root = process.argv.slice(2).find((argument) => !argument.startsWith("--")) ?? ".";

/** Ends a gate. Problems fail it, and so does having looked at nothing: a gate that sees no file proves nothing. */
export function finish(inspected, problems) {
  const found = inspected === 0 ? ["Nothing to check: no file found"] : problems;
  if (found.length === 0) return console.log(`${inspected} files`);
  console.error(found.join("\n"));
  process.exitCode = 1;
}
