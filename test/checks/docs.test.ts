import { gateContract } from "./gate-contract.ts";

const lines = (count: number) => "A line.\n".repeat(count);

const clean = {
  "AGENTS.md": lines(80),
  "docs/ARCHITECTURE.md": lines(120),
  "docs/decisions/001-one.md": lines(25),
};

gateContract("check-docs.mjs", clean, [
  { name: "a long AGENTS.md", tree: { "AGENTS.md": lines(81) }, says: "AGENTS.md: 81 lines, at most 80" },
  {
    name: "a long architecture",
    tree: { "docs/ARCHITECTURE.md": lines(121) },
    says: "docs/ARCHITECTURE.md: 121 lines, at most 120",
  },
  {
    name: "a long decision",
    tree: { "docs/decisions/002-two.md": lines(26) },
    says: "docs/decisions/002-two.md: 26 lines, at most 25",
  },
]);
