/** Returns the code that the system, or Node, gives an error, such as ENOENT; undefined for an error without one. */
export function errnoOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}
