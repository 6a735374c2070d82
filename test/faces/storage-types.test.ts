import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** Maps each exported name to the code that declares it, without comments. */
const DECLARED = new Map(
  [...readFileSync("docs/api.md", "utf8").matchAll(/^### `(\w+)`$.*?^```ts$(.*?)^```$/gms)].map(
    ([, name = "", code = ""]) => [name, code.replaceAll(/\/\*\*.*?\*\/|"[^"]*"/gs, "")] as const,
  ),
);

/** Lists all types that a declaration names, and those that these name in turn. */
function typesIn(name: string, found = new Set<string>()): ReadonlySet<string> {
  for (const [type] of (DECLARED.get(name) ?? "").matchAll(/\b[A-Z]\w+/g)) {
    if (found.has(type)) continue;
    found.add(type);
    typesIn(type, found);
  }
  return found;
}

/** Names of the language, a type parameter, and names for a function, a string and the list of kinds. */
const KNOWN = new Set(["AsyncIterable", "Omit", "ReadonlyMap", "Purpose", "Checkpoint", "Version", "KINDS"]);

it("exports every type that the author of a storage has to name", () => {
  const missing = [...typesIn("MountableStorage")].filter((type) => !DECLARED.has(type) && !(type in globalThis));
  expect(missing.filter((type) => !KNOWN.has(type))).toEqual([]);
});
