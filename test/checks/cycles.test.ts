import { gateContract } from "./gate-contract.ts";

const clean = {
  "src/a.ts": 'import "./b.ts";\nimport "./c.ts";\n',
  "src/b.ts": 'import "./c.ts";\n',
  "src/c.ts": 'import { z } from "zod";\nexport const schema = z;\n',
};

gateContract("check-cycles.mjs", clean, [
  {
    name: "two files that import each other",
    tree: { "src/c.ts": 'import "./b.ts";\n' },
    says: "src/b.ts → src/c.ts → src/b.ts",
  },
  {
    name: "a circle of three, by a type and at run time",
    tree: { "src/b.ts": 'import type {} from "./c.ts";\n', "src/c.ts": 'export const a = () => import("./a.ts");\n' },
    says: "src/a.ts → src/b.ts → src/c.ts → src/a.ts",
  },
  {
    name: "a file that imports itself",
    tree: { "src/c.ts": 'import "./c.ts";\n' },
    says: "src/c.ts → src/c.ts",
  },
]);
