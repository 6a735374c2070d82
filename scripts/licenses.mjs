import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes the licence of every package whose code is inside the bundles. */
export function writeLicenses(file, metafiles) {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const packages = new Set(inputs.flatMap(packageOf));
  writeFileSync(file, [...packages].toSorted().map(entryOf).join("\n\n"));
}

const packageOf = (input) => input.match(/^node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/g) ?? [];

function entryOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? readFileSync(join(folder, file), "utf8").trim() : "(no licence file in the package)";
  return `${name} ${version} (${license})\n\n${text}\n`;
}
