import { expect, it } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { needs } from "../../programs.ts";
import { callerOn, scratch } from "../scratch.ts";

const inTerminal = (command: string) => {
  needs("script");
  return callerOn(scratch({}), { exec: { security: "full" } })("exec", { command, pty: true });
};

it("answers once the screen of a program in a terminal stands still", async () => {
  const { data } = await inTerminal("printf 'name? '; read name");
  expect(data).toMatchObject({ status: "running", output: expect.stringContaining("name?") });
  expect(data["duration_ms"]).toBeLessThan(LIMITS.yieldMs);
});

it("shows the screen, not what was printed to draw it", async () => {
  const { data } = await inTerminal("printf 'gone\\033[2J\\033[3;5Hthird   \\033[1;1Hfirst'; read name");
  expect(data["output"]).toBe("first\n\n    third");
});

it("shows all that was printed by a program that has ended", async () => {
  const { data } = await inTerminal("seq 100");
  expect(data).toMatchObject({ status: "done", output: expect.stringMatching(/^1\r?\n2\r?\n[^]*100\r?\n?$/) });
});
