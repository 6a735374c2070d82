import { expect, it } from "vitest";
import { alertLine } from "../../src/runtime/alerts.ts";

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
