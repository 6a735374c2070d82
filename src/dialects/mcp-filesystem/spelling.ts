import { homedir } from "node:os";
import { isAbsolute, resolve } from "node:path";
import * as z from "zod";
import { LIMITS } from "../../base/limits.ts";
import type { Annotations } from "../../tools/tool.ts";
import { type DialectAnswer, say } from "../dialect.ts";
import type { Native } from "../native.ts";

/** An argument that names a file or directory. */
export const path = z.string().max(LIMITS.pathBytes);

/** What a path says natively: "~" is the home of who runs the server, and nothing is the first directory. */
export function expandedPath(given: string): string {
  if (given === "") return ".";
  return given === "~" || given.startsWith("~/") ? homedir() + given.slice(1) : given;
}

/** How answers name a path: never relative. Only for words; nothing is opened by it. */
export function absolute(given: string, { roots: [first = "/"] }: Pick<Native, "roots">): string {
  const name = expandedPath(given);
  return isAbsolute(name) ? name : resolve(first, name);
}

/** Every answer but that of media: text, and the same text as data. */
export const TEXT = z.object({ content: z.string() });
export const withMessage = (content: string): DialectAnswer => say(content, { content });

export const READ_ANNOTATIONS: Partial<Annotations> = { readOnlyHint: true, openWorldHint: false };
