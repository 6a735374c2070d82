import { isRecord } from "../base/json.ts";

/** The path of a value in a document: keys of objects and indexes of lists. */
export type KeyPath = readonly (string | number)[];

/** Formats a path as code: `tools.byProvider["openai/gpt-5.2"].allow`. */
export const keyText = (path: KeyPath): string =>
  path
    .map((part, nth) => {
      if (typeof part === "number") return `[${part}]`;
      if (!/^[\w$]+$/.test(part)) return `[${JSON.stringify(part)}]`;
      return nth === 0 ? part : `.${part}`;
    })
    .join("");

/** Returns the paths of all leaves. A list counts as a leaf. */
export function leafPathsOf(value: unknown, path: KeyPath = []): readonly KeyPath[] {
  if (!isRecord(value)) return [path];
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return entries.flatMap(([key, each]) => leafPathsOf(each, [...path, key]));
}

/** Returns the value at a path, or undefined if there is none. */
export const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((parent, part) => (parent as Readonly<Record<PropertyKey, unknown>> | undefined)?.[part], value);
