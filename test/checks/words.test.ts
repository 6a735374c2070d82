import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { gateContract } from "./gate-contract.ts";
import { plant, run } from "./script.ts";

interface Word {
  readonly say: string;
  readonly parts?: readonly string[];
  readonly names?: readonly string[];
  readonly prose?: readonly string[];
}

// The words come from the list itself: written here, they would be findings.
const { words, openings }: { words: readonly Word[]; openings: readonly string[] } = JSON.parse(
  readFileSync("scripts/words.json", "utf8"),
);

const [part, partAdvice] = firstOf("parts");
const [name, nameAdvice] = firstOf("names");
const [prose, proseAdvice] = firstOf("prose");
const [opening = ""] = openings;
const [lastOpening = ""] = openings.slice(-1);

const clean = {
  "src/base/cache.ts": "/** Returns the cached value. */\nexport const cached = (value: number) => value;\n",
  "src/base/user.ts": `import { cached } from "./cache.ts";\n// ${opening} begins no doc comment here.\ncached(1);\n`,
  "docs/cache.md": "# The cache\n\nIt holds `cached` values.\n",
  "CHANGELOG.md": `- The ${prose} got a better name.\n`,
};

gateContract("check-words.mjs", clean, [
  {
    name: "a name that contains a replaced word",
    tree: { "src/base/cache.ts": `export const one = 1;\nexport const create${pascal(part)} = () => one;\n` },
    says: `src/base/cache.ts:2: "create${pascal(part)}": say "${partAdvice}"`,
  },
  {
    name: "a type with a replaced name",
    tree: { "test/one.test.ts": `export type ${name} = number;\n` },
    says: `test/one.test.ts:1: "${name}": say "${nameAdvice}"`,
  },
  {
    name: "a file that is named by a replaced word",
    tree: { [`src/base/${part}.ts`]: "export const one = 1;\n" },
    says: `src/base/${part}.ts:1: "${pascal(part)}": say "${partAdvice}"`,
  },
  {
    name: "a replaced word in a comment",
    tree: { "scripts/one.mjs": `// Looks at\n// the ${prose}.\n` },
    says: `scripts/one.mjs:2: "${prose}": say "${proseAdvice}"`,
  },
  {
    name: "a replaced word in a text",
    tree: { "src/base/cache.ts": `export const message = \`Cannot open the ${prose}\`;\n` },
    says: `src/base/cache.ts:1: "${prose}": say "${proseAdvice}"`,
  },
  {
    name: "a replaced word in a document",
    tree: { "docs/decisions/001-one.md": `# One\n\nThe ${prose} is open.\n` },
    says: `docs/decisions/001-one.md:3: "${prose}": say "${proseAdvice}"`,
  },
  {
    name: "a replaced name in a document",
    tree: { "README.md": `Use \`create${pascal(part)}()\`.\n` },
    says: `README.md:1: "create${pascal(part)}": say "${partAdvice}"`,
  },
  {
    name: "a doc comment without a subject",
    tree: { "src/base/cache.ts": `export const one = 1;\n/**\n * ${opening} is cached.\n */\nexport const two = 2;\n` },
    says: `src/base/cache.ts:2: "${opening}": say what it is, or begin with a verb`,
  },
  {
    name: "a doc comment that begins with a replaced phrase",
    tree: { "src/base/cache.ts": `/** ${lastOpening} number. */\nexport const one = 1;\n` },
    says: `src/base/cache.ts:1: "${lastOpening}": say what it is, or begin with a verb`,
  },
]);

it("finds every word of the list", () => {
  const named = words.flatMap(({ say, parts = [], names = [] }) =>
    [...parts.map((each) => `all${pascal(each)}`), ...names].map((each) => ({ word: each, say })),
  );
  const written = words.flatMap(({ say, prose: each = [] }) => each.map((word) => ({ word, say })));
  const root = plant({
    "src/names.ts": named.map(({ word }) => `use(${word});\n`).join(""),
    "docs/prose.md": written.map(({ word }) => `The ${word} is here.\n`).join(""),
  });
  const { output } = run("check-words.mjs", ".", root);
  const lines = new Set(output.split("\n"));
  const expected = [
    ...named.map(({ word, say }, index) => `src/names.ts:${index + 1}: "${word}": say "${say}"`),
    ...written.map(({ word, say }, index) => `docs/prose.md:${index + 1}: "${word}": say "${say}"`),
  ];
  expect(expected.filter((line) => !lines.has(line))).toEqual([]);
});

it("counts findings by folder and by advice", () => {
  const root = plant({ ...clean, "src/base/one.ts": `export const ${part} = 1;\nexport const two = ${part};\n` });
  const { passed, output } = run("check-words.mjs", ".", "--count", root);
  expect({ passed, rows: output.split("\n").map((row) => row.trim()) }).toEqual({
    passed: true,
    rows: ["2 src/base", "", `2 ${partAdvice}`, "", "2 findings", ""],
  });
});

function firstOf(kind: "parts" | "names" | "prose"): readonly [string, string] {
  const word = words.find((each) => each[kind] !== undefined);
  return [word?.[kind]?.[0] ?? "", word?.say ?? ""];
}

function pascal(word: string): string {
  return word.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
