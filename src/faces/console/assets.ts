import { existsSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { getAsset, isSea } from "node:sea";
import { PAGE_PATH } from "../http/paths.ts";
import { textResponse } from "../http/responses.ts";

/** Serves a file of the page. Every address that is no file of it is refused. */
export function assetResponse({ url, method }: Request, folders: readonly URL[] = FOLDERS): Response {
  if (method !== "GET" && method !== "HEAD") return textResponse(405, "Use GET", { Allow: "GET, HEAD" });
  const read = isSea() ? readEmbedded : readerIn(folders);
  if (!read) return textResponse(404, "The console is not built: run npm run build", HEADERS);
  const name = nameIn(new URL(url).pathname);
  const type = TYPES[extname(name)];
  const bytes = PLAIN_NAME.test(name) && type !== undefined ? read(name) : undefined;
  if (!bytes || type === undefined) return textResponse(404, "There is nothing here", HEADERS);
  return new Response(method === "HEAD" ? null : bytes, { headers: { ...HEADERS, "Content-Type": type } });
}

type ReadAsset = (name: string) => Uint8Array<ArrayBuffer> | undefined;

/** Reads from the first folder that holds the page. */
function readerIn(folders: readonly URL[]): ReadAsset | undefined {
  const folder = folders.find((each) => existsSync(new URL("index.html", each)));
  return folder && ((name) => (existsSync(new URL(name, folder)) ? readFileSync(new URL(name, folder)) : undefined));
}

/** Reads what a single executable has in itself. */
function readEmbedded(name: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return new Uint8Array(getAsset(`console/${name}`));
  } catch {
    // Node throws for every name that is no asset.
    return undefined;
  }
}

/** The files are at the top, or below the page. */
const nameIn = (path: string): string =>
  (path.startsWith(`${PAGE_PATH}/`) || path === PAGE_PATH ? path.slice(PAGE_PATH.length + 1) : path.slice(1)) ||
  "index.html";

/** One name, which leads nowhere else. */
const PLAIN_NAME = /^[a-z0-9][a-z0-9-]*(\.[a-z0-9-]+)+$/i;

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Lets the page run its own files only, and makes no text a script: names and contents of files may be hostile. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const HEADERS = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": POLICY,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
};

/** Lists where the build may have written it: beside the program, beside the library, or from the sources. */
const FOLDERS = ["../../../console/", "../../console/", "../../../dist/console/"].map(
  (folder) => new URL(folder, import.meta.url),
);
