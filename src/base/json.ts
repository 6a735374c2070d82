/** JSON, or a note when a value has none: what callers in the same process hand us may be anything. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    return '"[not JSON]"';
  }
}
