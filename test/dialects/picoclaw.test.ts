import { expect, it } from "vitest";
import { runCase } from "./dialect-case.ts";
import { CASES } from "./picoclaw.cases.ts";

/** Maps each tool to the name that the document gives its answer. */
const FIELDS: Readonly<Record<string, string>> = { read_file: "content", list_dir: "entries" };

it.each(CASES)("$name", async (each) => {
  const { happened, promised } = await runCase("picoclaw", each, (tool, text) => ({
    [FIELDS[tool] ?? "message"]: text,
  }));
  expect(happened).toEqual(promised);
});
