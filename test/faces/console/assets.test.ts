import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { assetResponse } from "../../../src/faces/console/assets.ts";
import { scratch } from "../../runtime/scratch.ts";
import { request, served } from "../http/served.ts";

function built(): URL {
  const root = scratch({
    "console/index.html": "<!doctype html>",
    "console/console.js": "script",
    "console/console.css": "style",
    "console/favicon.svg": "<svg/>",
    "console/notes.txt": "not ours to serve",
    "secret.js": "outside",
  });
  mkdirSync(join(root, "console", "deep"));
  writeFileSync(join(root, "console", "deep", "x.js"), "deep");
  return pathToFileURL(join(root, "console/"));
}

describe("the files of the page", () => {
  it.each([
    ["/console", 200, "text/html; charset=utf-8"],
    ["/console/", 200, "text/html; charset=utf-8"],
    ["/console.js", 200, "text/javascript; charset=utf-8"],
    ["/console/console.js", 200, "text/javascript; charset=utf-8"],
    ["/console.css", 200, "text/css; charset=utf-8"],
    ["/favicon.svg", 200, "image/svg+xml"],
    ["/console/notes.txt", 404, "text/plain; charset=utf-8"],
    ["/console/none.js", 404, "text/plain; charset=utf-8"],
    ["/console/deep/x.js", 404, "text/plain; charset=utf-8"],
    ["/console/..%2fsecret.js", 404, "text/plain; charset=utf-8"],
    ["/console/%2e%2e/secret.js", 404, "text/plain; charset=utf-8"],
    ["/console/.hidden.js", 404, "text/plain; charset=utf-8"],
  ])("%s: %i", (path, status, type) => {
    const response = assetResponse(request(path), [built()]);
    expect([response.status, response.headers.get("content-type")]).toEqual([status, type]);
  });

  it("run no foreign script, are in no frame and are never kept", () => {
    const { headers } = assetResponse(request("/console"), [built()]);
    expect(Object.fromEntries(headers)).toEqual({
      "cache-control": "no-store",
      "content-security-policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "form-action 'none'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; " +
        "trusted-types 'none'",
      "content-type": "text/html; charset=utf-8",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
  });

  it("are made by the build, and say so where they are missing", async () => {
    const folder = built();
    rmSync(new URL("index.html", folder));
    const response = assetResponse(request("/console"), [folder]);
    expect([response.status, await response.text()]).toEqual([404, "The console is not built: run npm run build\n"]);
  });

  it("can only be fetched", () => {
    expect(assetResponse(request("/console", { method: "POST" }), [built()]).status).toBe(405);
  });

  it("need no login", async () => {
    const { fetch } = await served(scratch());
    expect([200, 404]).toContain((await fetch(request("/console"))).status);
  });
});
