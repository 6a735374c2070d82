import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratch } from "../runtime/scratch.ts";
import { openGreeted, toolCall, type Wire } from "./wire.ts";

const TOKEN = `ghp_${"Zq7vR2mX9c".repeat(4).slice(0, 36)}`;

async function textOf(wire: Wire, id: number, tool: string, input: object): Promise<string> {
  wire.say(toolCall(id, tool, input));
  const { result } = (await wire.answer(id)) as { result: { content: readonly { text: string }[] } };
  return result.content.map(({ text }) => text).join("\n");
}

/** Through the built program: what is bundled has to know a placeholder when it sees one. */
it("shows a secret as a placeholder, and writes the value where the placeholder is given", async () => {
  const root = scratch({ ".env": `API_TOKEN=${TOKEN}\n` });
  const wire = await openGreeted(root);
  const shown = await textOf(wire, 1, "read", { path: ".env" });
  expect(shown).not.toContain(TOKEN);
  const placeholder = /‹secret:[A-Z_]+#\d+›/.exec(shown)?.[0];
  expect(await textOf(wire, 2, "write", { path: "more.env", content: `COPY=${placeholder}\n` })).not.toContain(TOKEN);
  await wire.end();
  expect(readFileSync(join(root, "more.env"), "utf8")).toBe(`COPY=${TOKEN}\n`);
});
