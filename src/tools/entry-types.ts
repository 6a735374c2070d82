import * as z from "zod";
import type { Kind } from "../storage/storage.ts";

/** What an entry can be, on the wire. */
export const entryType = z.enum(["file", "directory", "symlink", "other"]);

/** What follows a name in text, so that a listing needs no column for it. */
export const MARKS: Readonly<Record<Kind, string>> = { directory: "/", symlink: "@", other: "?", file: "" };
