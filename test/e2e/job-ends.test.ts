import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { needs } from "../programs.ts";
import { scratch, stateBeside } from "../runtime/scratch.ts";
import { bareEnv, BIN, connect, ERAS } from "./bin.ts";
import { META, openGreeted, openWire, toolCall, type Wire } from "./wire.ts";

beforeEach(() => needs("bwrap", "unshare", "mount", "setpriv"));

const SOON = { timeout: 20_000, interval: 20 };
const ARGS = ["--exec", "full"];
const JOB = { command: "until [ -e go ]; do sleep 0.05; done; exit 3", background: true };
const MESSAGE = {
  level: "info",
  logger: "holdfast",
  data: expect.objectContaining({ command: JOB.command, exit_code: 3, note: expect.stringContaining("has ended") }),
};
const NOTE = expect.stringMatching(/^Background command \w+ has ended .*exit code 3/);

const workspace = () => {
  const root = scratch({ "a.txt": "a\n" });
  return { root, go: () => writeFileSync(join(root, "go"), "") };
};

interface Structured {
  readonly structuredContent?: unknown;
}

/** The next answer that tells the end: the client cannot know otherwise when that was. */
const reported = (read: () => Promise<unknown>): Promise<unknown> =>
  vi.waitFor(async () => {
    const { notes } = ((await read()) as Structured).structuredContent as { notes?: readonly unknown[] };
    expect(notes).toEqual([NOTE]);
  }, SOON);

it.each(ERAS)("the end of a job reaches the official client of $era", async ({ era, options }) => {
  const { root, go } = workspace();
  const client = await connect(root, options, undefined, ARGS);
  const heard: unknown[] = [];
  client.setNotificationHandler("notifications/message", ({ params }) => void heard.push(params));
  await client.listTools();
  const _meta = era.startsWith("2026") ? { "io.modelcontextprotocol/logLevel": "info" } : {};
  const call = (name: string, input: Record<string, unknown>) => client.callTool({ name, arguments: input, _meta });
  await call("exec", JOB);
  go();
  await reported(() => call("read", { path: "a.txt" }));
  await vi.waitFor(() => expect(heard).toContainEqual(MESSAGE), SOON);
  const { structuredContent } = await call("read", { path: "a.txt" });
  expect(structuredContent).not.toHaveProperty("notes");
  expect(heard.filter((each) => (each as { level: string }).level === "info")).toEqual([MESSAGE]);
});

it("and the official client of the first generation", async () => {
  const { root, go } = workspace();
  const client = new Client({ name: "sdk-1", version: "1" });
  onTestFinished(() => client.close());
  const env = bareEnv({ HOLDFAST_STATE: stateBeside(root) });
  const server = { command: process.execPath, args: [BIN, root, ...ARGS], env, stderr: "pipe" as const };
  await client.connect(new StdioClientTransport(server));
  const heard: unknown[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void heard.push(params));
  await client.listTools();
  await client.callTool({ name: "exec", arguments: JOB });
  go();
  await vi.waitFor(() => expect(heard).toContainEqual(MESSAGE), SOON);
  await reported(() => client.callTool({ name: "read", arguments: { path: "a.txt" } }));
});

const messagesOf = ({ lines }: Wire): readonly unknown[] =>
  lines
    .map((line) => JSON.parse(line) as { method?: string; params?: { level: string } })
    .filter(({ method, params }) => method === "notifications/message" && params?.level === "info");

const reportedOn = (wire: Wire, more: object = {}): Promise<unknown> => {
  let id = 100;
  return reported(async () => {
    wire.say(toolCall((id += 1), "read", { path: "a.txt" }, more));
    return (await wire.answer(id))["result"];
  });
};

it("is not logged to a client that wants to hear less, and is still told", async () => {
  const { root, go } = workspace();
  const wire = await openGreeted(root, { args: ARGS });
  wire.say({ jsonrpc: "2.0", id: "level", method: "logging/setLevel", params: { level: "notice" } });
  await wire.answer("level");
  wire.say(toolCall(1, "exec", JOB));
  await wire.answer(1);
  go();
  await reportedOn(wire);
  await wire.end();
  expect(messagesOf(wire)).toEqual([]);
});

it("is not logged to a client of 2026 that did not ask for it with the call", async () => {
  const { root, go } = workspace();
  const wire = openWire(root, { args: ARGS });
  wire.say(toolCall(1, "exec", JOB, { _meta: META }));
  await wire.answer(1);
  go();
  await reportedOn(wire, { _meta: META });
  await wire.end();
  expect(messagesOf(wire)).toEqual([]);
});

it("says nothing when the commands end with the client", async () => {
  const { root } = workspace();
  const wire = await openGreeted(root, { args: ARGS });
  wire.say(toolCall(1, "exec", JOB));
  await wire.answer(1);
  expect(await wire.end()).toBe(0);
  expect(messagesOf(wire)).toEqual([]);
});

it.each(ERAS)("progress of a command is streamed to the official client of $era", async ({ options }) => {
  const { root } = workspace();
  const client = await connect(root, options, undefined, ARGS);
  const bytes: number[] = [];
  const onprogress = ({ progress }: { readonly progress: number }): void => void bytes.push(progress);
  await client.callTool({ name: "exec", arguments: { command: "echo 12345; sleep 1" } }, { onprogress });
  expect(bytes).toContain(6);
});
