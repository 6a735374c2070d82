import { LIMITS } from "../../base/limits.ts";

declare const inner: unique symbol;

/**
 * A relative path inside an archive: plain names with "/" between them, none of them ".", ".." or empty. It is empty
 * for the top.
 */
export type InnerPath = string & { readonly [inner]: true };

/** The name of an entry, or the reason why it is refused. */
export type EntryName =
  | { readonly path: InnerPath; readonly isDirectory: boolean }
  | { readonly shown: string; readonly problem: string };

/** Parses the name of an entry. It is taken literally, but for "./" and repeated slashes. */
export function parseEntryName(bytes: Uint8Array): EntryName {
  const name = decodeName(bytes);
  const refused = (problem: string): EntryName => ({ shown: shownName(bytes), problem });
  if (name === undefined) return refused("its name is not UTF-8");
  const problem = spellingProblem(name);
  if (problem !== undefined) return refused(problem);
  const names = name.split("/").filter((each) => each !== "" && each !== ".");
  if (names.includes("..")) return refused('its name contains ".."');
  if (names.length > LIMITS.archiveDepth) return refused("its name has too many directories");
  if (names.some((each) => Buffer.byteLength(each) > LIMITS.nameBytes)) return refused("its name is too long");
  return { path: names.join("/") as InnerPath, isDirectory: /(?:^|\/)\.?$/.test(name) };
}

/** Returns undefined where the bytes are not UTF-8. */
function decodeName(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function spellingProblem(name: string): string | undefined {
  if (name === "") return "it has no name";
  if (CONTROL.test(name)) return "its name contains control characters";
  if (name.includes("\\")) return "its name contains a backslash";
  if (name.startsWith("/")) return "its name is an absolute path";
  if (/^[a-z]:/i.test(name)) return "its name begins with a drive letter";
  return Buffer.byteLength(name) > LIMITS.pathBytes / 2 ? "its name is too long" : undefined;
}

// oxlint-disable-next-line no-control-regex -- these characters are what it looks for
const CONTROL = /[\u0000-\u001F\u007F-\u009F]/;

/** Returns the start of a refused name for people, with what is not UTF-8 replaced. */
const shownName = (bytes: Uint8Array): string =>
  Buffer.from(bytes.subarray(0, LIMITS.quotedNameChars * 2)).toString("utf8");
