import * as z from "zod";
import { LIMITS } from "../../base/limits.ts";

/** Define the types of the inputs and outputs of capabilities. */
export const filesystemPath = z.string().min(1).max(LIMITS.pathBytes).meta({ title: "FilesystemPath" });
export const globPattern = z.string().min(1).max(LIMITS.argumentChars).meta({ title: "GlobPattern" });
export const content = z.string().max(LIMITS.messageBytes);
export const size = z.int().min(0).meta({ title: "Integer" });
export const sha256 = z.string().meta({ title: "SHA256" });
export const dateTime = z.string().meta({ title: "DateTime" });
export const entryType = z.enum(["file", "directory", "symlink", "other"]);

/** Maps "binary" to base64, which the native tools use for bytes. */
export const nativeEncoding = (encoding: string): string => (encoding === "binary" ? "base64" : encoding);
