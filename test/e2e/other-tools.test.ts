import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, it, vi } from "vitest";
import { scratch } from "../runtime/scratch.ts";
import { WHILE_BUSY } from "../work.ts";
import { connect, ERAS } from "./bin.ts";

/** Connects a client to a server with a configuration file, and collects its notifications of changed tools. */
async function served(options: (typeof ERAS)[number]["options"], args: readonly string[] = []) {
  const root = scratch({ "a.txt": "a\n" });
  const file = join(dirname(root), "f.jsonc");
  const write = (config: object): void => writeFileSync(file, JSON.stringify(config));
  write({});
  const client = await connect(root, options, undefined, ["--config", file, "--loop-detection", "off", ...args]);
  const notifications: string[] = [];
  client.setNotificationHandler("notifications/tools/list_changed", ({ method }) => void notifications.push(method));
  return { client, write, notifications };
}

/** Calls a tool until the client has received so many notifications in all; none of these calls may fail. */
async function untilNotified(
  client: Client,
  notifications: readonly string[],
  times: number,
  tool = "session",
): Promise<void> {
  const use = async (): Promise<boolean> => {
    expect((await client.callTool({ name: tool, arguments: {} })).isError ?? false).toBe(false);
    return notifications.length >= times;
  };
  await vi.waitUntil(use, { ...WHILE_BUSY, interval: 100 });
}

const namesOf = async (client: Client): Promise<readonly string[]> =>
  (await client.listTools()).tools.map(({ name }) => name);

describe.each(ERAS)("tools that are written anew, $era", ({ era, options }) => {
  const listen = async (client: Client): Promise<void> => {
    if (era >= "2026") await client.listen({ toolsListChanged: true });
  };

  it("are announced, listed and called without a restart", async () => {
    const { client, write, notifications } = await served(options);
    await listen(client);
    const before = await namesOf(client);
    write({ tools: { deny: ["edit"] } });
    await untilNotified(client, notifications, 1);
    expect(await namesOf(client)).toEqual(before.filter((name) => name !== "edit"));
    const refused = await client.callTool({ name: "edit", arguments: { path: "a.txt", oldText: "a", newText: "b" } });
    expect(refused._meta).toMatchObject({ "holdfast/error": { code: "denied", hidden_by: ["global lists"] } });
    write({});
    await untilNotified(client, notifications, 2);
    expect(await namesOf(client)).toEqual(before);
    expect(notifications.length).toBe(2);
  });

  it("are announced once, also to a client that has used more than tools", async () => {
    const { client, write, notifications } = await served(options);
    await listen(client);
    await client.listResources();
    write({ tools: { deny: ["edit"] } });
    await untilNotified(client, notifications, 1);
    // An answer arrives after all notifications that were sent before it.
    await client.listResources();
    expect(notifications.length).toBe(1);
  });

  it("are announced in a dialect, to a client with roots of its own", async () => {
    const roots = { ...options, capabilities: { roots: {} } };
    const { client, write, notifications } = await served(roots, ["--dialect", "mcp-filesystem"]);
    client.setRequestHandler("roots/list", () => ({ roots: [] }));
    await listen(client);
    write({ tools: { deny: ["edit"] } });
    await untilNotified(client, notifications, 1, "list_allowed_directories");
    expect(await namesOf(client)).not.toContain("edit_file");
  });
});

it("2026-07-28: a client that did not subscribe is not notified, and lists what there is", async () => {
  const { client, write, notifications } = await served(ERAS.at(-1)?.options ?? {});
  write({ tools: { deny: ["edit"] } });
  await vi.waitUntil(async () => !(await namesOf(client)).includes("edit"), { ...WHILE_BUSY, interval: 100 });
  expect(notifications).toEqual([]);
});
