// Runs the demo in colour and draws what it prints as docs/images/demo.svg. Build first.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./gate.mjs";

const [LINE, CHARACTER, MARGIN, TOP] = [17, 7.25, 18, 56];
const CLASS_OF = { 1: "b", 2: "d", 31: "r", 32: "g", 36: "o" };
const ESCAPE = "\x1b[";
const TITLE =
  "Terminal: the demo reads a tree and a huge log, tries five ways out of the workspace, which are all refused, " +
  "lands twenty edits of one file at once, edits a Latin-1 file, brings back a deleted directory and undoes a change; " +
  "then a client of the reference filesystem server edits a file, and that is undone, too; at last rm -rf, git reset " +
  "--hard and npm install do harm as commands, and each is taken back in milliseconds.";

const { NO_COLOR: _, ...env } = process.env;
const printed = execFileSync(process.execPath, [join(root, "dist/holdfast.cjs"), "demo"], {
  env: { ...env, FORCE_COLOR: "1" },
  encoding: "utf8",
});
const lines = ["\x1b[2m$\x1b[22m node dist/holdfast.cjs demo", ...printed.trimEnd().split("\n")];
writeFileSync(join(root, "docs/images/demo.svg"), drawing(lines));

function drawing(rows) {
  const longest = Math.max(...rows.map((row) => plain(row).length));
  const [width, height] = [Math.ceil(longest * CHARACTER) + 2 * MARGIN, TOP + rows.length * LINE];
  const texts = rows.map((row, nth) => `<text x="${MARGIN}" y="${TOP + nth * LINE}">${spansOf(row)}</text>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="t">
<title id="t">${TITLE}</title>
<style>
text { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #e6edf3; white-space: pre; }
.b { font-weight: 700; fill: #ffffff; } .d { fill: #8b949e; } .g { fill: #3fb950; } .r { fill: #f85149; } .o { fill: #a5d6ff; }
</style>
<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>
<circle cx="20" cy="20" r="6" fill="#30363d"/><circle cx="40" cy="20" r="6" fill="#30363d"/><circle cx="60" cy="20" r="6" fill="#30363d"/>
${texts.join("\n")}
</svg>
`;
}

/** Wraps the text after each colour code in a span of its class. */
function spansOf(row) {
  const [start = "", ...stretches] = row.split(ESCAPE);
  const spans = stretches.map((stretch) => {
    const [, code = "", text = ""] = /^(\d+)m(.*)$/.exec(stretch) ?? [];
    return CLASS_OF[code] ? `<tspan class="${CLASS_OF[code]}">${escaped(text)}</tspan>` : escaped(text);
  });
  return [escaped(start), ...spans].join("");
}

function plain(row) {
  return row
    .split(ESCAPE)
    .map((stretch, nth) => (nth === 0 ? stretch : stretch.replace(/^\d+m/, "")))
    .join("");
}

/** Returns the text with spaces that no renderer collapses. */
function escaped(text) {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/^ +|  +/g, (gap) => "\u00a0".repeat(gap.length));
}
