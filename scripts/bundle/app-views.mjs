import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const VIEWS = "src/faces/mcp/views";
const NAMES = ["change", "pending"];
const MOST_BYTES = 16_000;

/**
 * Joins each view of an MCP App with its style into one document. Only this script and this style run there: the policy
 * names their digests, and makes no text a script.
 */
export async function bundleViews(folder) {
  mkdirSync(folder, { recursive: true });
  const { code: style } = await bundled("view.css");
  for (const name of NAMES) {
    const { code: script } = await bundled(`${name}.ts`);
    const html = documentOf(script, style);
    if (Buffer.byteLength(html) > MOST_BYTES) throw new Error(`The view ${name} is larger than ${MOST_BYTES} bytes`);
    writeFileSync(join(folder, `${name}.html`), html);
  }
}

async function bundled(file) {
  const { outputFiles } = await build({
    entryPoints: [join(VIEWS, file)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: ["chrome123", "firefox120", "safari17.5"],
    legalComments: "none",
    logLevel: "warning",
  });
  return { code: (outputFiles[0]?.text ?? "").trimEnd() };
}

function documentOf(script, style) {
  const policy = [
    "default-src 'none'",
    `script-src '${digestOf(script)}'`,
    `style-src '${digestOf(style)}'`,
    "form-action 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
  return [
    "<!doctype html>",
    '<html lang="en">',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    "<title>Holdfast</title>",
    `<style>${style}</style>`,
    "<body>",
    `<script>${script}</script>`,
    "",
  ].join("\n");
}

const digestOf = (text) => `sha256-${createHash("sha256").update(text).digest("base64")}`;
