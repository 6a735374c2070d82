import * as z from "zod";
import type { Kind } from "../storage/storage.ts";

/** Lists the types of directory entries that tools report. */
export const entryType = z.enum(["file", "directory", "symlink", "other"]);

/** Suffixes for names in text, as `ls -F` prints them, so that a listing needs no column for the type. */
export const MARKS: Readonly<Record<Kind, string>> = { directory: "/", symlink: "@", other: "?", file: "" };
