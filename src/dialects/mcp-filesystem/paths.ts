import { homedir } from "node:os";
import { isAbsolute, resolve } from "node:path";
import * as z from "zod";
import { LIMITS } from "../../base/limits.ts";
import type { Native } from "../native.ts";

/** The type of arguments that name a file or directory. */
export const pathInput = z.string().max(LIMITS.pathBytes);

/** Converts a path for native calls: "~" is the home directory of the server's user, and "" the first directory. */
export function expandHome(given: string): string {
  if (given === "") return ".";
  return given === "~" || given.startsWith("~/") ? homedir() + given.slice(1) : given;
}

/** Makes a path absolute for messages. It is never used to open a file. */
export function toAbsolute(given: string, { roots: [first = "/"] }: Pick<Native, "roots">): string {
  const name = expandHome(given);
  return isAbsolute(name) ? name : resolve(first, name);
}
