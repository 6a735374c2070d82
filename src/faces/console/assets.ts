import { existsSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { PAGE_PATH } from "../http/paths.ts";
import { textResponse } from "../http/responses.ts";

/** Serves a file of the page. Every address that is no file of it is refused. */
export function assetResponse({ url, method }: Request, folders: readonly URL[] = FOLDERS): Response {
  if (method !== "GET" && method !== "HEAD") return textResponse(405, "Use GET", { Allow: "GET, HEAD" });
  const folder = folders.find((each) => existsSync(new URL("index.html", each)));
  if (!folder) return textResponse(404, "The console is not built: run npm run build", HEADERS);
  const name = nameIn(new URL(url).pathname);
  const type = TYPES[extname(name)];
  const file = new URL(name, folder);
  if (!PLAIN_NAME.test(name) || type === undefined || !existsSync(file))
    return textResponse(404, "There is nothing here", HEADERS);
  return new Response(method === "HEAD" ? null : readFileSync(file), { headers: { ...HEADERS, "Content-Type": type } });
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
