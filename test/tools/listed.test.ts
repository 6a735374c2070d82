import { expect, it } from "vitest";
import { tokensShown } from "../../bench/tokens.mjs";
import { listedInput } from "../../src/schema/listed-schema.ts";
import { BUILTIN_TOOLS } from "../../src/tools/index.ts";

/** Lists groups that the default profile does not show. */
const ADDED = ["runtime", "archives"];

const listed = (group: "runtime" | "archives" | "others") =>
  BUILTIN_TOOLS.filter(({ catalogue }) =>
    group === "others" ? !ADDED.includes(catalogue.group) : catalogue.group === group,
  ).map(({ name, description, input }) => ({ name, description, inputSchema: listedInput(input) }));

it("what a model is shown of all tools costs at most 1,800 tokens", () => {
  expect(tokensShown(listed("others"))).toBeLessThanOrEqual(1800);
});

it("the tools that pack and unpack archives cost at most 200 tokens more", () => {
  expect(tokensShown(listed("archives"))).toBeLessThanOrEqual(200);
});

it.each(["exec", "process"])("every argument of %s that models are not shown is explained to people", (name) => {
  const { shape } = BUILTIN_TOOLS.find((tool) => tool.name === name)!.input;
  const unlisted = Object.entries(shape).filter(([, field]) => field.meta()?.["unlisted"] !== undefined);
  expect(unlisted.filter(([, field]) => !field.meta()?.description).map(([argument]) => argument)).toEqual([]);
});

it("the tools that run commands cost at most 500 tokens more", () => {
  expect(tokensShown(listed("runtime"))).toBeLessThanOrEqual(500);
});
