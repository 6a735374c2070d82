import { expect, it } from "vitest";
import { loadDialect } from "../../src/dialects/load.ts";
import { alertLine } from "../../src/runtime/alerts.ts";
import { appOn, scratch } from "./scratch.ts";

const TOLD = { alert_id: "1", time: "2026-01-01T00:00:00Z", session: "s", severity: "info" } as const;

it.each([
  { name: "as it is", message: "The disk is full", line: "info: The disk is full" },
  { name: "with what helps", message: "help", context: { path: "a\nb" }, line: 'info: help {"path":"a\\nb"}' },
  {
    name: "that would pass for another line",
    message: "help\nholdfast: all is well",
    line: 'info: "help\\nholdfast: all is well"',
  },
])("tells a message $name in one line", ({ message, context, line }) => {
  expect(alertLine({ ...TOLD, message, context })).toBe(line);
});

it("leaves out the values of secrets", async () => {
  const lines: string[] = [];
  const root = scratch({ ".env": "API_TOKEN=fk29dkw03kdl20sk\n" });
  const app = appOn(root, { dialect: await loadDialect("capabilities"), alert: (line) => void lines.push(line) });
  const ask = (tool: string, input: object) => app.surface.call({ tool, input, signal: { aborted: false } });
  await ask("filesystem__read", { path: ".env" });
  const words = "it is fk29dkw03kdl20sk";
  const sent = await ask("alerts__send", { message: words, context: { why: [words] } });
  expect(sent.isError).toBe(false);
  const hidden = "it is ‹secret:API_TOKEN#1›";
  expect(lines).toEqual([`info: ${hidden} ${JSON.stringify({ why: [hidden] })}`]);
});
