import * as z from "zod";
import { LIMITS } from "../../base/limits.ts";

/** The kinds of values that capabilities take and give. */
export const filesystemPath = z.string().min(1).max(LIMITS.pathBytes).meta({ title: "FilesystemPath" });
export const globPattern = z.string().min(1).max(LIMITS.argumentChars).meta({ title: "GlobPattern" });
export const content = z.string().max(LIMITS.messageBytes);
export const size = z.int().min(0).meta({ title: "Integer" });
export const sha256 = z.string().meta({ title: "SHA256" });
export const dateTime = z.string().meta({ title: "DateTime" });
export const entryType = z.enum(["file", "directory", "symlink", "other"]);

/** Bytes have no encoding: they travel as base64. */
export const nativeEncoding = (encoding: string): string => (encoding === "binary" ? "base64" : encoding);
