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

/** Maps every string in a value, except those under the given keys. */
export function mapStrings(value: unknown, change: (text: string) => string, except?: ReadonlySet<string>): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((each) => mapStrings(each, change, except));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [
    key,
    except?.has(key) ? each : mapStrings(each, change, except),
  ]);
  return Object.fromEntries(entries);
}

/** Tests if a string in a value passes the test. */
export function someString(value: unknown, test: (text: string) => boolean): boolean {
  if (typeof value === "string") return test(value);
  if (typeof value !== "object" || value === null) return false;
  for (const key in value) if (someString(value[key as keyof typeof value], test)) return true;
  return false;
}
