import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { createEventStore } from "../../../src/faces/http/event-store.ts";
import { scratch } from "../../runtime/scratch.ts";
import { bearer, INITIALIZE, messageOf, post, request, served } from "./served.ts";

type Served = Awaited<ReturnType<typeof served>>;

async function openSession({ fetch, token }: Served): Promise<Record<string, string>> {
  const opened = await fetch(post(INITIALIZE, bearer(token)));
  await opened.text();
  const session = opened.headers.get("mcp-session-id") ?? "";
  return { ...bearer(token), "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" };
}

const call = (name: string, input: object, id = 2) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: input },
});

describe("sessions of 2025", () => {
  it("end when the client says so", async () => {
    const server = await served(scratch());
    const headers = await openSession(server);
    expect((await server.fetch(request("/mcp", { method: "DELETE", headers }))).status).toBe(200);
    expect((await server.fetch(post({ jsonrpc: "2.0", id: 2, method: "ping" }, headers))).status).toBe(404);
  });

  it("give way to new ones when there are too many, the one that was idle the longest first", async () => {
    const server = await served(scratch());
    const first = await openSession(server);
    const second = await openSession(server);
    for (let nth = 2; nth <= LIMITS.httpSessions; nth++) await openSession(server);
    const status = async (headers: Record<string, string>) => {
      const response = await server.fetch(post({ jsonrpc: "2.0", id: 2, method: "ping" }, headers));
      await response.text();
      return response.status;
    };
    expect([await status(first), await status(second)]).toEqual([404, 200]);
  });

  it("send what a client missed after it lost its stream", async () => {
    const server = await served(scratch({ "a.txt": "one\n" }));
    const headers = await openSession(server);
    const response = await server.fetch(post(call("read", { path: "a.txt" }), headers));
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    const id = /^id: (\d+)$/m.exec(new TextDecoder().decode(value))?.[1] ?? "";
    await reader?.cancel();
    const again = request("/mcp", { headers: { ...headers, accept: "text/event-stream", "last-event-id": id } });
    expect(JSON.stringify(await messageOf(await server.fetch(again)))).toContain("one");
  });

  it("are not replayed from an event that is gone", async () => {
    const server = await served(scratch());
    const headers = { ...(await openSession(server)), accept: "text/event-stream", "last-event-id": "999" };
    expect((await server.fetch(request("/mcp", { headers }))).status).toBe(400);
  });
});

const message = (text: string) => ({ jsonrpc: "2.0" as const, method: text });

describe("the store of events", () => {
  const store = createEventStore();

  it("keeps the last ones only", async () => {
    const first = await store.storeEvent("a", message("first"));
    for (let nth = 0; nth < LIMITS.httpEvents; nth++) await store.storeEvent("a", message(String(nth)));
    expect(await store.getStreamIdForEventId?.(first)).toBeUndefined();
    const large = await store.storeEvent("a", message("x".repeat(LIMITS.httpEventBytes)));
    const last = await store.storeEvent("b", message("last"));
    expect(await store.getStreamIdForEventId?.(large)).toBeUndefined();
    expect(await store.getStreamIdForEventId?.(last)).toBe("b");
  });

  it("replays one stream", async () => {
    const id = await store.storeEvent("a", message("one"));
    await store.storeEvent("b", message("two"));
    await store.storeEvent("a", message("three"));
    const sent: string[] = [];
    await store.replayEventsAfter(id, {
      send: async (_, each) => void sent.push("method" in each ? each.method : ""),
    });
    expect(sent).toEqual(["three"]);
  });
});

describe("single requests of 2026", () => {
  const META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const modern = (body: ReturnType<typeof call>, token: string) =>
    post(
      { ...body, params: { ...body.params, _meta: META } },
      {
        ...bearer(token),
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": body.method,
        "mcp-name": body.params.name,
      },
    );

  it("need no session", async () => {
    const { fetch, token } = await served(scratch({ "a.txt": "one\n" }));
    const response = await fetch(modern(call("read", { path: "a.txt" }), token));
    expect([response.status, response.headers.get("mcp-session-id")]).toEqual([200, null]);
    expect(await messageOf(response)).toMatchObject({ id: 2, result: { content: [{ type: "text" }] } });
  });

  it("of one client share what it has seen", async () => {
    const root = scratch({ "a.txt": "one\n" });
    const { fetch, token } = await served(root);
    await (await fetch(modern(call("read", { path: "a.txt" }), token))).text();
    writeFileSync(join(root, "b.txt"), "unseen\n");
    const text = async (path: string) =>
      JSON.stringify(
        await messageOf(await fetch(modern(call("write", { path, content: "new\n", overwrite: true }), token))),
      );
    expect([(await text("a.txt")).includes("unseen"), (await text("b.txt")).includes("unseen")]).toEqual([false, true]);
  });
});

describe("a server that stops", () => {
  it("answers the calls that run, and refuses new ones", async () => {
    const server = await served(scratch({ "a.txt": "one\n" }));
    const headers = await openSession(server);
    const watch = await messageOf(await server.fetch(post(call("watch", { path: "." }), headers)));
    const { watch_id: id } = (watch["result"] as { structuredContent: { watch_id: string } }).structuredContent;
    const running = server.fetch(post(call("watch", { watch_id: id, wait_ms: 300 }, 3), headers));
    const response = await running;
    let isDrained = false;
    const drained = server.drain().then(() => (isDrained = true));
    expect((await server.fetch(post(call("read", { path: "a.txt" }, 4), headers))).status).toBe(503);
    expect(isDrained).toBe(false);
    expect(await messageOf(response)).toMatchObject({ id: 3, result: { structuredContent: { events: [] } } });
    await drained;
  });
});
