import { type KeyPath, leafPathsOf, valueAt } from "../text/key-path.ts";
import type { CheckedFile } from "./check.ts";
import type { ConfigPlace } from "./places.ts";
import type { Config } from "./schema.ts";

/** The checked file of one place. */
export interface ReadPlace extends CheckedFile {
  readonly place: ConfigPlace;
}

/** One configuration merged from several files. Rules are not merged: each layer keeps its own. */
export interface MergedConfig {
  readonly config: Omit<Config, "policy" | "$schema">;
  /** Returns the origin of a key, or undefined if no file sets it. */
  originOf(path: KeyPath): string | undefined;
  /** Returns true if the system's or the organisation's file sets a key: flags and variables cannot override it. */
  isFixed(path: KeyPath): boolean;
}

/** Merges files. The highest layer wins, except that `deny` lists are united and `readOnly: true` always wins. */
export function merge(places: readonly ReadPlace[]): MergedConfig {
  const values = new Map<string, Value>();
  for (const place of places) for (const path of leafPathsOf(place.config)) addValue(values, path, place);
  const config: Record<string, unknown> = {};
  for (const { path, value } of values.values()) setAtPath(config, path, value);
  const at = (path: KeyPath): Value | undefined => values.get(keyOf(path));
  return {
    config,
    originOf: (path) => at(path)?.origins.join(", "),
    isFixed: (path) => at(path)?.isFixed ?? false,
  };
}

interface Value {
  readonly path: KeyPath;
  readonly value: unknown;
  readonly origins: readonly string[];
  readonly isFixed: boolean;
}

const keyOf = (path: KeyPath): string => JSON.stringify(path);

const NOT_MERGED = ["policy", "$schema"];

function addValue(values: Map<string, Value>, path: KeyPath, { config, place, originOf }: ReadPlace): void {
  if (NOT_MERGED.includes(String(path[0]))) return;
  const before = values.get(keyOf(path));
  const value = valueAt(config, path);
  const isFixed = place.layer === "system" || place.layer === "organisation";
  const added: Value = { path, value, origins: [originOf(path)], isFixed };
  const both = before && combineValues(path, before, added);
  if (both || !before) values.set(keyOf(path), both ?? added);
}

/** Combines a value with that of a lower layer. Returns undefined if the higher one stays as it is. */
function combineValues(path: KeyPath, before: Value, here: Value): Value | undefined {
  const origins = [...before.origins, ...here.origins];
  if (path.at(-1) === "deny" && Array.isArray(before.value) && Array.isArray(here.value)) {
    return { ...before, value: [...new Set<unknown>([...before.value, ...here.value])], origins };
  }
  if (path.at(-1) !== "readOnly" || here.value !== true) return undefined;
  return before.value === true ? { ...before, origins } : here;
}

function setAtPath(config: Record<string, unknown>, [first, ...rest]: KeyPath, value: unknown): void {
  const key = String(first);
  if (rest.length === 0) {
    Object.defineProperty(config, key, { value, enumerable: true, configurable: true, writable: true });
    return;
  }
  if (!Object.hasOwn(config, key)) setAtPath(config, [key], {});
  setAtPath(config[key] as Record<string, unknown>, rest, value);
}
