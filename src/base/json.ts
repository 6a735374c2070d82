/** Accepts an object as JSON has them: neither null nor a list. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Returns the same value with the keys of every object sorted, so that equal values have equal JSON. Lists of plain
 * values stay as they are: they may be long.
 */
export function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.some(isObject) ? value.map(withSortedKeys) : value;
  if (!isRecord(value) || typeof value["toJSON"] === "function") return value;
  const keys = Object.keys(value).toSorted();
  return Object.fromEntries(keys.map((key) => [key, withSortedKeys(value[key])]));
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;
