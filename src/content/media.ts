import { nameIn } from "../base/paths.ts";
import { plural } from "../text/plural.ts";

/** Describes bytes that are not text. "image" and "audio" are formats that models accept; all others are "other". */
export interface Media {
  readonly kind: "image" | "audio" | "other";
  readonly mime: string;
}

/** Detects a binary format by its first bytes (4,100 are enough), or returns null. Call it only for non-UTF-8 data. */
export async function mediaOf(head: Uint8Array): Promise<Media | null> {
  const { fileTypeFromBuffer } = await import("file-type");
  const type = await fileTypeFromBuffer(head);
  const mime = type?.mime ?? (isTiff(head) ? "image/tiff" : undefined);
  if (mime === undefined || TEXT_FORMATS.has(mime)) return null;
  return SHOWN_MEDIA.get(mime) ?? { kind: "other", mime };
}

/** Detects a TIFF whose directory is behind its pixels, where the package does not see it. */
const isTiff = (head: Uint8Array): boolean =>
  ["II*\0", "MM\0*", "II+\0", "MM\0+"].includes(String.fromCharCode(...head.subarray(0, 4)));

/** Returns the media type for the extension of a name, if any. */
export function mimeOf(name: string): string | undefined | Promise<string | undefined> {
  const base = nameIn(name);
  const dot = base.lastIndexOf(".");
  const own = MIME_BY_EXTENSION.get(base.slice(dot + 1).toLowerCase());
  if (own !== undefined || dot < 0) return own;
  return typeOf ? typeOf(base) : loadTypes().then((load) => load(base));
}

/** Caches the lookup of the `mime` package, which is loaded lazily. */
let typeOf: ((name: string) => string | undefined) | undefined;

async function loadTypes(): Promise<(name: string) => string | undefined> {
  const { default: types } = await import("mime");
  typeOf = (name) => types.getType(name) ?? undefined;
  return typeOf;
}

/** Describes binary content in a few words: "ELF executable, 14 KiB", "application/zip, 900 bytes". */
export async function describeBinary(head: Uint8Array, size: number): Promise<string> {
  const media = await mediaOf(head);
  const words = media === null ? "binary data" : (DESCRIPTIONS.get(media.mime) ?? rawPhoto(media.mime) ?? media.mime);
  return `${words}, ${sizeOf(size)}`;
}

/** Describes a photo as the sensor of a camera delivers it; undefined for all else. */
const rawPhoto = (mime: string): string | undefined =>
  /^image\/x-(?:adobe-dng|canon-cr[23]|fujifilm-raf|nikon-nef|olympus-orf|panasonic-rw2|sony-arw)$/.test(mime)
    ? `a raw photo (${mime}), which has to be converted to JPEG first`
    : undefined;

/** Lists detected formats that are text, such as an XML file in Latin-1. */
const TEXT_FORMATS: ReadonlySet<string> = new Set([
  "application/eps",
  "application/pgp-encrypted",
  "application/postscript",
  "application/rtf",
  "application/xml",
  "model/stl",
  "text/calendar",
  "text/vcard",
  "text/vtt",
]);

/** Maps the MIME types of the `file-type` package to those that clients know. */
const SHOWN_MEDIA: ReadonlyMap<string, Media> = new Map<string, Media>([
  ["image/png", { kind: "image", mime: "image/png" }],
  ["image/apng", { kind: "image", mime: "image/png" }],
  ["image/jpeg", { kind: "image", mime: "image/jpeg" }],
  ["image/gif", { kind: "image", mime: "image/gif" }],
  ["image/webp", { kind: "image", mime: "image/webp" }],
  ["audio/mpeg", { kind: "audio", mime: "audio/mpeg" }],
  ["audio/wav", { kind: "audio", mime: "audio/wav" }],
  ["audio/ogg", { kind: "audio", mime: "audio/ogg" }],
  ["audio/ogg; codecs=opus", { kind: "audio", mime: "audio/ogg" }],
  ["audio/flac", { kind: "audio", mime: "audio/flac" }],
  ["audio/aac", { kind: "audio", mime: "audio/aac" }],
  ["audio/x-m4a", { kind: "audio", mime: "audio/mp4" }],
]);

/** Adds extensions that `mime` does not know, or maps to older formats: `.ts` to video, `.rs` to XML. */
const MIME_BY_EXTENSION: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "text/x-typescript": "ts tsx mts cts",
    "text/javascript": "cjs",
    "text/x-rust": "rs",
    "text/x-go": "go",
    "text/x-python": "py pyi",
    "text/x-kotlin": "kt kts",
    "text/x-ruby": "rb",
    "text/x-php": "php",
    "text/x-csharp": "cs",
    "text/x-swift": "swift",
    "text/x-dart": "dart",
    "text/x-c": "hpp hh cxx hxx",
    "text/x-perl": "pl pm",
    "text/x-shellscript": "sh bash zsh fish",
    "text/x-diff": "diff patch",
    "text/x-vue": "vue",
    "text/x-svelte": "svelte",
    "application/json": "jsonc",
    "application/x-ndjson": "jsonl ndjson",
    "application/graphql": "graphql gql",
    "text/plain": "lock env cfg properties gitignore gitattributes editorconfig bat cmd ps1 proto tf sum mod rst adoc",
    "text/x-dockerfile": "dockerfile",
    "text/x-makefile": "makefile mk",
  }).flatMap(([mime, extensions]) => extensions.split(" ").map((extension) => [extension, mime])),
);

const DESCRIPTIONS: ReadonlyMap<string, string> = new Map([
  ["application/x-elf", "ELF executable"],
  ["application/x-msdownload", "Windows executable"],
  ["application/x-mach-binary", "Mach-O executable"],
  ["application/java-vm", "Java class"],
  ["application/wasm", "WebAssembly module"],
  ["application/x-sqlite3", "SQLite database"],
  ["application/pdf", "PDF document"],
]);

function sizeOf(bytes: number): string {
  if (bytes < 1024) return plural(bytes, "byte");
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KiB` : `${Math.round(bytes / 1024 / 1024)} MiB`;
}
