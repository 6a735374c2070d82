import { isRecord } from "../base/json.ts";

/** A place in a document: names of keys and positions in lists. */
export type KeyPath = readonly (string | number)[];

/** A place as one writes it: `tools.byProvider["openai/gpt-5.2"].allow`. */
export const keyText = (path: KeyPath): string =>
  path
    .map((part, nth) => {
      if (typeof part === "number") return `[${part}]`;
      if (!/^[\w$]+$/.test(part)) return `[${JSON.stringify(part)}]`;
      return nth === 0 ? part : `.${part}`;
    })
    .join("");

/** Every place with a value of its own; a list is one. */
export function leafPathsOf(value: unknown, path: KeyPath = []): readonly KeyPath[] {
  if (!isRecord(value)) return [path];
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return entries.flatMap(([key, each]) => leafPathsOf(each, [...path, key]));
}

/** What is at a place; undefined where nothing is. */
export const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((within, part) => (within as Readonly<Record<PropertyKey, unknown>> | undefined)?.[part], value);
