/** The directory that a gate checks: its first argument that is not a flag, else the working directory. */
export const root = process.argv.slice(2).find((argument) => !argument.startsWith("--")) ?? ".";

/** Ends a gate. It fails on problems, and when it inspected no file: such a gate proves nothing. */
export function finish(inspected, problems) {
  const found = inspected === 0 ? ["Nothing to check: no file found"] : problems;
  if (found.length === 0) return console.log(`${inspected} files`);
  console.error(found.join("\n"));
  process.exitCode = 1;
}
