import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { aiSdk } from "./libraries/ai-sdk.ts";
import { inspector } from "./libraries/inspector.ts";
import { langChain } from "./libraries/langchain.ts";
import { sdk1, sdk2 } from "./libraries/official-sdks.ts";
import { CONNECTIONS, EXPECTED, toolTurns, workplace } from "./work.ts";

const CASES = [sdk1, sdk2, inspector, aiSdk, langChain].flatMap((library) =>
  CONNECTIONS.map((connection) => ({ name: library.name, library, ...connection })),
);

describe.each(CASES)("$name over $by", ({ library, open }) => {
  it("tells a model contents, reasons of failures, the next step of an approval, and undo", async () => {
    const place = workplace();
    const { directory, env } = place;
    expect(await library.resultsOf(await open(place), toolTurns(env))).toEqual(EXPECTED);
    expect(readFileSync(join(directory, "a.txt"), "utf8")).toBe("one\nTWO\n");
    expect(() => readFileSync(join(directory, "b.txt"))).toThrow("ENOENT");
  });
});
