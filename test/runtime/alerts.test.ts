import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import type { Options } from "../../src/app/options.ts";
import { loadDialect } from "../../src/dialects/load.ts";
import { alertLine } from "../../src/runtime/alerts/alerts.ts";
import { appOn, scratch } from "./scratch.ts";

const ALERT = { alert_id: "1", time: "2026-01-01T00:00:00Z", session: "s", severity: "info" } as const;

it.each([
  { name: "as it is", message: "The disk is full", line: "info: The disk is full" },
  { name: "with what helps", message: "help", context: { path: "a\nb" }, line: 'info: help {"path":"a\\nb"}' },
  {
    name: "that would pass for another line",
    message: "help\nholdfast: all is well",
    line: 'info: "help\\nholdfast: all is well"',
  },
])("tells a message $name in one line", ({ message, context, line }) => {
  expect(alertLine({ ...ALERT, message, context })).toBe(line);
});

it("leaves out the values of secrets", async () => {
  const lines: string[] = [];
  const root = scratch({ ".env": "API_TOKEN=fk29dkw03kdl20sk\n" });
  const app = appOn(root, { dialect: await loadDialect("capabilities"), onAlert: (line) => void lines.push(line) });
  const ask = (tool: string, input: object) => app.surface.call({ tool, input, signal: { aborted: false } });
  await ask("filesystem__read", { path: ".env" });
  const words = "it is fk29dkw03kdl20sk";
  const sent = await ask("alerts__send", { message: words, context: { why: [words] } });
  expect(sent.isError).toBe(false);
  const hidden = "it is ‹secret:API_TOKEN#1›";
  expect(lines).toEqual([`info: ${hidden} ${JSON.stringify({ why: [hidden] })}`]);
});

describe.each(["alerts__send", "system__disk_usage"])("%s", (tool) => {
  const asked = async (options: Partial<Options>) => {
    const { surface } = appOn(scratch(), { dialect: await loadDialect("capabilities"), ...options });
    const input = tool === "alerts__send" ? { message: "help" } : {};
    return { surface, ask: () => surface.call({ tool, input, signal: { aborted: false } }) };
  };

  it("is refused where a hook blocks it, and hooks are told", async () => {
    const results: unknown[] = [];
    const hooks = [{ beforeCall: () => ({ block: "not now" }), afterCall: (result: object) => results.push(result) }];
    const { ask } = await asked({ hooks });
    expect((await ask()).isError).toBe(true);
    expect(results).toMatchObject([{ tool: `capabilities.${tool}`, isError: true, code: "denied" }]);
  });

  it("is not there where no tool is", async () => {
    const { surface, ask } = await asked({ toolConfig: { tools: { deny: ["*"] } } });
    expect(surface.tools.map(({ name }) => name)).toEqual([]);
    expect((await ask()).isError).toBe(true);
  });
});

it.each([
  { name: "message", input: { message: "x".repeat(LIMITS.alertChars + 1) } },
  { name: "context", input: { message: "x", context: { why: "x".repeat(LIMITS.alertChars) } } },
  { name: "context that is no JSON", input: { message: "x", context: deep(100_000) } },
])("refuses a $name that no record has room for", async ({ input }) => {
  const lines: string[] = [];
  const { surface } = appOn(scratch(), {
    dialect: await loadDialect("capabilities"),
    onAlert: (line) => lines.push(line),
  });
  const { isError } = await surface.call({ tool: "alerts__send", input, signal: { aborted: false } });
  expect({ isError, lines }).toEqual({ isError: true, lines: [] });
});

function deep(levels: number): object {
  let value = {};
  for (let level = 0; level < levels; level++) value = { value };
  return value;
}
