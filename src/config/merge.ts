import { type KeyPath, leafPathsOf, valueAt } from "../text/key-path.ts";
import type { CheckedFile } from "./check.ts";
import type { ConfigPlace } from "./places.ts";
import type { Config } from "./schema.ts";

/** What one place says. */
export interface ReadPlace extends CheckedFile {
  readonly place: ConfigPlace;
}

/** One configuration made of several files. Rules are not in it: they are kept layer by layer. */
export interface MergedConfig {
  readonly config: Omit<Config, "policy" | "$schema">;
  /** Where a key was written; undefined where it was not. */
  originOf(path: KeyPath): string | undefined;
  /** Whether flags and variables may say otherwise: not where the system or the organisation has spoken. */
  isFixed(path: KeyPath): boolean;
}

/** The highest layer that says something wins; but what denies or only reads is added up. */
export function merge(places: readonly ReadPlace[]): MergedConfig {
  const values = new Map<string, Value>();
  for (const place of places) for (const path of leafPathsOf(place.config)) add(values, path, place);
  const config: Record<string, unknown> = {};
  for (const { path, value } of values.values()) put(config, path, value);
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

function add(values: Map<string, Value>, path: KeyPath, { config, place, originOf }: ReadPlace): void {
  if (NOT_MERGED.includes(String(path[0]))) return;
  const before = values.get(keyOf(path));
  const value = valueAt(config, path);
  const isFixed = place.layer === "system" || place.layer === "organisation";
  const added: Value = { path, value, origins: [originOf(path)], isFixed };
  const both = before && combined(path, before, added);
  if (both || !before) values.set(keyOf(path), both ?? added);
}

/** Undefined where what was said first stands. */
function combined(path: KeyPath, before: Value, here: Value): Value | undefined {
  const origins = [...before.origins, ...here.origins];
  if (path.at(-1) === "deny" && Array.isArray(before.value) && Array.isArray(here.value)) {
    return { ...before, value: [...new Set<unknown>([...before.value, ...here.value])], origins };
  }
  if (path.at(-1) !== "readOnly" || here.value !== true) return undefined;
  return before.value === true ? { ...before, origins } : here;
}

function put(config: Record<string, unknown>, [first, ...rest]: KeyPath, value: unknown): void {
  const key = String(first);
  if (rest.length === 0) {
    Object.defineProperty(config, key, { value, enumerable: true, configurable: true, writable: true });
    return;
  }
  if (!Object.hasOwn(config, key)) put(config, [key], {});
  put(config[key] as Record<string, unknown>, rest, value);
}
