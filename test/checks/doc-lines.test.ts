import { gateContract } from "./gate-contract.ts";

const wide = (width: number) =>
  "word "
    .repeat(width)
    .slice(0, width - 1)
    .concat(".\n");

const clean = {
  "README.md": `# Title\n\n${wide(120)}`,
  "docs/table.md": `| ${wide(200).trim()} |\n`,
  "docs/link.md": `- https://example.org/${"a".repeat(150)}\n`,
  "docs/letters.md": `Letters ${"é".repeat(112)}\n`,
};

gateContract("check-doc-lines.mjs", clean, [
  {
    name: "a wide line",
    tree: { "README.md": `# Title\n${wide(121)}` },
    says: "README.md:2: 121 characters, at most 120",
  },
  {
    name: "a wide line in a decision",
    tree: { "docs/decisions/001-one.md": wide(130) },
    says: "docs/decisions/001-one.md:1: 130 characters, at most 120",
  },
  {
    name: "a long link behind other words",
    tree: { "docs/link.md": `See https://example.org/${"a".repeat(150)}\n` },
    says: "docs/link.md:1: 174 characters, at most 120",
  },
]);
