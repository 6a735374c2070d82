import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { scratch } from "../runtime/scratch.ts";
import { connect, ERAS } from "./bin.ts";
import { startServer } from "./http-server.ts";
import { openGreeted } from "./wire.ts";

const TREE = { "a.txt": "one\ntwo\n", ".env": "API_TOKEN=t0ps3cr3t-value\n" };

const PATH = { name: "path", description: "Only this file or directory", required: false };
const PROMPTS = [
  {
    name: "review-changes",
    title: "Review changes",
    description: "Review what this session changed, as one diff",
    arguments: [{ name: "session", description: "Another session, by its id", required: false }, PATH],
  },
  {
    name: "undo",
    title: "Undo",
    description: "Take back the last change of this session, after a preview",
    arguments: [
      {
        name: "change",
        description: 'A change_id, or "session" for everything that this session changed',
        required: false,
      },
      PATH,
    ],
  },
];

async function overHttp(root: string, options: ClientOptions): Promise<Client> {
  const { url, token } = await startServer(root);
  const client = new Client({ name: "holdfast-test", version: "1" }, options);
  onTestFinished(() => client.close());
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

const WAYS = ERAS.flatMap(({ era, options }) => [
  { way: `stdio, ${era}`, open: (root: string) => connect(root, options) },
  { way: `HTTP, ${era}`, open: (root: string) => overHttp(root, options) },
]);

async function textOfPrompt(client: Client, name: string, given: Record<string, string> = {}): Promise<string> {
  const { messages } = await client.getPrompt({ name, arguments: given });
  expect(messages).toEqual([{ role: "user", content: { type: "text", text: expect.any(String) } }]);
  const [message] = messages;
  return message?.content.type === "text" ? message.content.text : "";
}

describe.each(WAYS)("$way", ({ open }) => {
  it("lists the prompts, shows the net change, and previews an undo", async () => {
    const root = scratch(TREE);
    const client = await open(root);
    expect((await client.listPrompts()).prompts).toEqual(PROMPTS);
    const call = async (name: string, input: Record<string, unknown>): Promise<Record<string, unknown>> => {
      const { structuredContent } = await client.callTool({ name, arguments: input });
      return structuredContent as Record<string, unknown>;
    };
    await call("edit", { path: "a.txt", old_text: "two", new_text: "2" });
    const { change_id: last } = await call("edit", { path: "a.txt", old_text: "2", new_text: "three" });
    await call("delete", { path: ".env" });
    const review = await textOfPrompt(client, "review-changes", { session: "", path: "" });
    expect(review).toContain("--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n");
    expect(review).toContain("delete .env (it may hold secrets, so its content is not shown)");
    expect(review).not.toContain("t0ps3cr3t-value");
    const undo = await textOfPrompt(client, "undo", { change: String(last) });
    expect(undo).toContain(`call undo with ${JSON.stringify({ change_id: last })}`);
    expect(undo).toContain("Would bring back a.txt");
    expect(await call("undo", { change_id: last })).toMatchObject({ undone: [last] });
  });
});

it("a conflict is told with what can be taken back instead, and nothing is undone", async () => {
  const root = scratch(TREE);
  const client = await connect(root);
  await client.callTool({ name: "edit", arguments: { path: "a.txt", old_text: "two", new_text: "2" } });
  writeFileSync(join(root, "a.txt"), "mine\n");
  const text = await textOfPrompt(client, "undo", { change: "session" });
  expect(text).toContain("I want to take back everything that this session changed.");
  expect(text).toContain("Cannot undo: something is in the way");
  expect(text).toMatch(/The last changes of this session:\n\w{15} /);
});

it("an unknown prompt is refused, and a profile without undo has no prompt for it", async () => {
  const client = await connect(scratch(TREE), {}, undefined, ["--read-only"]);
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(["review-changes"]);
  await expect(client.getPrompt({ name: "undo" })).rejects.toThrow('Cannot get the prompt "undo": there is none');
});

it("the list costs a client of 2025 no SDK, and is the same that the SDK gives", async () => {
  const wire = await openGreeted(scratch(TREE));
  wire.say({ jsonrpc: "2.0", id: "short", method: "prompts/list" });
  wire.say({ jsonrpc: "2.0", id: "long", method: "prompts/list", params: { cursor: "x" } });
  const [short, long] = [await wire.answer("short"), await wire.answer("long")];
  expect(short["result"]).toEqual({ prompts: PROMPTS });
  expect(long["result"]).toEqual(short["result"]);
});
