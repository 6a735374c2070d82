import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { endpointOf } from "../examples/endpoint.ts";
import { runAgent } from "./agents/agent.ts";
import { claude } from "./agents/claude.ts";
import { codex } from "./agents/codex.ts";
import { gemini } from "./agents/gemini.ts";
import { opencode } from "./agents/opencode.ts";
import { CONNECTIONS, EXPECTED, toolTurns, workplace } from "./work.ts";

const CASES = [claude, codex, gemini, opencode].flatMap((agent) =>
  CONNECTIONS.map((connection) => ({ name: agent.name, agent, ...connection })),
);

describe.each(CASES)("$name over $by", ({ agent, open }) => {
  it("gives its model contents, reasons of failures, the next step of an approval, and undo", async () => {
    const place = workplace();
    const { directory, home, env } = place;
    const turns = toolTurns(env).map((turn) => ({ ...turn, tool: agent.toolName(turn.tool) }));
    const { url, asked } = await endpointOf(agent.wire, [...turns, { text: "Done." }]);
    await runAgent(agent, { home, directory, model: url, connection: await open(place) });
    const results = asked.at(-1);
    expect(results && agent.results(results)).toEqual(EXPECTED);
    expect(readFileSync(join(directory, "a.txt"), "utf8")).toBe("one\nTWO\n");
    expect(() => readFileSync(join(directory, "b.txt"))).toThrow("ENOENT");
  });
});
