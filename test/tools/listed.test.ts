import { expect, it } from "vitest";
import { tokensShown } from "../../bench/tokens.mjs";
import { listedInput } from "../../src/schema/listed-schema.ts";
import { BUILTIN_TOOLS } from "../../src/tools/index.ts";

const listed = BUILTIN_TOOLS.map(({ name, description, input }) => ({
  name,
  description,
  inputSchema: listedInput(input),
}));

it("what a model is shown of all tools costs at most 1,800 tokens", () => {
  expect(tokensShown(listed)).toBeLessThanOrEqual(1800);
});
