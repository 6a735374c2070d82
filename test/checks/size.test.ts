import { gateContract } from "./gate-contract.ts";

const lines = (count: number, line = "// line\n") => line.repeat(count);
const body = (count: number) => lines(count - 2, "  step();\n");

const clean = {
  "src/base/long.ts": lines(400),
  "src/base/function.ts": `export function fits() {\n${body(60)}}\n`,
  "test/many.test.ts": `describe("many", () => {\n${body(300)}});\n`,
};

gateContract("check-size.mjs", clean, [
  {
    name: "a file of 401 lines",
    tree: { "src/base/long.ts": lines(401) },
    says: "src/base/long.ts: 401 lines, at most 400",
  },
  {
    name: "a test file of 401 lines",
    tree: { "test/many.test.ts": lines(401) },
    says: "test/many.test.ts: 401 lines, at most 400",
  },
  {
    name: "a function of 61 lines",
    tree: { "src/base/function.ts": `\nexport function grown() {\n${body(61)}}\n` },
    says: "src/base/function.ts:2: function grown has 61 lines, at most 60",
  },
  {
    name: "an arrow function of 61 lines",
    tree: { "src/base/function.ts": `export const grown = () => {\n${body(61)}};\n` },
    says: "src/base/function.ts:1: function here has 61 lines, at most 60",
  },
  {
    name: "a method of 61 lines",
    tree: { "scripts/object.mjs": `export const handle = {\n  grown() {\n${body(61)}},\n};\n` },
    says: "scripts/object.mjs:2: function here has 61 lines, at most 60",
  },
]);
