import { expect, it } from "vitest";
import { tokensShown } from "../../bench/tokens.mjs";
import { listedInput } from "../../src/schema/listed-schema.ts";
import { BUILTIN_TOOLS } from "../../src/tools/index.ts";

const listed = (group: "runtime" | "others") =>
  BUILTIN_TOOLS.filter(({ catalogue }) => (catalogue.group === "runtime") === (group === "runtime")).map(
    ({ name, description, input }) => ({ name, description, inputSchema: listedInput(input) }),
  );

it("what a model is shown of all tools costs at most 1,800 tokens", () => {
  expect(tokensShown(listed("others"))).toBeLessThanOrEqual(1800);
});

it.each(["exec", "process"])("every argument of %s that models are not shown is explained to people", (name) => {
  const { shape } = BUILTIN_TOOLS.find((tool) => tool.name === name)!.input;
  const unlisted = Object.entries(shape).filter(([, field]) => field.meta()?.["unlisted"] !== undefined);
  expect(unlisted.filter(([, field]) => !field.meta()?.description).map(([argument]) => argument)).toEqual([]);
});

it("the tools that run commands cost at most 500 tokens more", () => {
  expect(tokensShown(listed("runtime"))).toBeLessThanOrEqual(500);
});
