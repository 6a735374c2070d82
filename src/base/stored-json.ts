import type { z } from "zod";

/**
 * Parses a file or a line of ours, which may be damaged or written by somebody else. Returns undefined for one that does
 * not match its schema, or is missing (null).
 */
export const parseStored = <Schema extends z.ZodType>(
  schema: Schema,
  text: string | null,
): z.output<Schema> | undefined => (text === null ? undefined : schema.safeParse(jsonIn(text)).data);

/** Parses a list and leaves out damaged items. */
export const parseStoredList = <Schema extends z.ZodType>(
  item: Schema,
  text: string | null,
): readonly z.output<Schema>[] => (text === null ? [] : validItems(item, jsonIn(text)));

/** Returns the items of a list that match their schema; none of what is no list. */
export const validItems = <Schema extends z.ZodType>(item: Schema, list: unknown): readonly z.output<Schema>[] =>
  Array.isArray(list) ? list.flatMap((each) => item.safeParse(each).data ?? []) : [];

/** Returns undefined for a text that is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
