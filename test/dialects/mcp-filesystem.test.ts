import { expect, it } from "vitest";
import { runCase } from "./dialect-case.ts";
import { CASES } from "./mcp-filesystem.cases.ts";

it.each(CASES)("$name", async (each) => {
  const { happened, promised } = await runCase("mcp-filesystem", each, (_, content) => ({ content }));
  expect(happened).toEqual(promised);
});
