import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, it, vi } from "vitest";
import { scratch } from "../runtime/scratch.ts";
import { WHILE_BUSY } from "../work.ts";
import { connect, ERAS } from "./bin.ts";

const uriOf = (...path: readonly string[]) => pathToFileURL(join(...path)).href;

/** Long enough for a notification to arrive, unless the machine is busy: then the test proves less. */
const QUIET_MS = 300;

/** Collects the addresses of the update notifications in order, and waits for the next one. */
function updatesOf(client: Client): { readonly updates: string[]; next(): Promise<string | undefined> } {
  const updates: string[] = [];
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => void updates.push(params.uri));
  return {
    updates,
    async next() {
      await vi.waitUntil(() => updates.length > 0, WHILE_BUSY);
      return updates.shift();
    },
  };
}

/** Subscribes as the protocol revision defines it; returns a function that unsubscribes. */
async function subscribed(client: Client, era: string, uri: string): Promise<() => Promise<unknown>> {
  if (era >= "2026") {
    const subscription = await client.listen({ resourceSubscriptions: [uri] });
    return () => subscription.close();
  }
  await client.subscribeResource({ uri });
  return () => client.unsubscribeResource({ uri });
}

describe.each(ERAS)("subscriptions, $era", ({ era, options }) => {
  it("tells when a file changes, is saved by rename, goes and comes back", async () => {
    const root = scratch({ "a.txt": "one", "beside.txt": "" });
    const client = await connect(root, options);
    const { updates, next } = updatesOf(client);
    const uri = uriOf(root, "a.txt");
    await subscribed(client, era, uri);
    for (const change of [
      async () => writeFileSync(join(root, "a.txt"), "two"),
      async () => {
        writeFileSync(join(root, "a.txt.new"), "three");
        renameSync(join(root, "a.txt.new"), join(root, "a.txt"));
      },
      async () => rmSync(join(root, "a.txt")),
      async () => writeFileSync(join(root, "a.txt"), "back"),
      () => client.callTool({ name: "write", arguments: { path: "a.txt", content: "ours" } }),
    ]) {
      await change();
      expect(await next()).toBe(uri);
      await sleep(QUIET_MS);
      updates.length = 0;
    }
  });

  it("tells of no other file", async () => {
    const root = scratch({ "a.txt": "one", "beside.txt": "" });
    const client = await connect(root, options);
    const { updates } = updatesOf(client);
    await subscribed(client, era, uriOf(root, "a.txt"));
    writeFileSync(join(root, "beside.txt"), "not asked for");
    await sleep(QUIET_MS);
    expect(updates).toEqual([]);
  });

  it("is silent once it is ended, and can begin again", async () => {
    const root = scratch({ "a.txt": "one" });
    const client = await connect(root, options);
    const { updates, next } = updatesOf(client);
    const uri = uriOf(root, "a.txt");
    const end = await subscribed(client, era, uri);
    await end();
    // An answer arrives after all notifications that were sent before it.
    await client.callTool({ name: "ls", arguments: {} });
    writeFileSync(join(root, "a.txt"), "two");
    await sleep(QUIET_MS);
    expect(updates).toEqual([]);
    await subscribed(client, era, uri);
    writeFileSync(join(root, "a.txt"), "three");
    expect(await next()).toBe(uri);
  });

  it("survives its directory", async () => {
    const root = scratch({ "sub/a.txt": "one" });
    const client = await connect(root, options);
    const { updates, next } = updatesOf(client);
    const uri = uriOf(root, "sub/a.txt");
    await subscribed(client, era, uri);
    rmSync(join(root, "sub"), { recursive: true });
    expect(await next()).toBe(uri);
    await sleep(QUIET_MS);
    updates.length = 0;
    mkdirSync(join(root, "sub"));
    writeFileSync(join(root, "sub/a.txt"), "again");
    expect(await next()).toBe(uri);
  });
});

describe.each(ERAS.filter(({ era }) => era < "2026"))("subscriptions that cannot be, $era", ({ options }) => {
  it.each([
    { name: "a missing file", uri: (root: string) => uriOf(root, "none.txt"), says: "does not exist" },
    { name: "the outside", uri: () => "file:///etc/passwd", says: "not inside" },
    { name: "another scheme", uri: () => "https://example.com/a.txt", says: "give a file:/// URI" },
  ])("refuses $name, and goes on", async ({ uri, says }) => {
    const root = scratch({ "a.txt": "" });
    const client = await connect(root, options);
    await expect(client.subscribeResource({ uri: uri(root) })).rejects.toThrow(says);
    await client.subscribeResource({ uri: uriOf(root, "a.txt") });
  });
});

it("2026-07-28: a stream with one address that cannot be watched still tells of the others", async () => {
  const root = scratch({ "a.txt": "one" });
  const client = await connect(root, ERAS.at(-1)?.options);
  const { next } = updatesOf(client);
  await client.listen({ resourceSubscriptions: ["file:///etc/passwd", uriOf(root, "a.txt")] });
  writeFileSync(join(root, "a.txt"), "two");
  expect(await next()).toBe(uriOf(root, "a.txt"));
});
