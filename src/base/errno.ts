/** The name that the system, or Node, has for an error, such as ENOENT; undefined for what has none. */
export function errnoOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}
