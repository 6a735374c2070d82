import { constants, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { errnoOf } from "../../base/errno.ts";
import { asFault } from "./errno.ts";

/** Opens a file of ours. A link in its place is not followed. */
export const openOwn = (path: string, flags: number): number =>
  making(path, () => openSync(path, flags | constants.O_NOFOLLOW, 0o600));

/** The directory is made when it proves to be missing: nearly always it is there. */
export function making<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return act();
  }
}

/** The same act, with what goes wrong told as a Fault. Where our files are is nobody's business. */
export const told =
  <Args extends readonly unknown[], T>(act: (...args: Args) => T): ((...args: Args) => T) =>
  (...args) => {
    try {
      return act(...args);
    } catch (error) {
      throw asFault(error, "our own state", "change");
    }
  };

/** Undefined when what is to be acted on is missing. */
export function unlessMissing<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "")) return undefined;
    throw error;
  }
}
