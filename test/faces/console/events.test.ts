import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { callerOn, scratch } from "../../runtime/scratch.ts";
import { request } from "../http/served.ts";
import { consoleOn } from "./console.ts";

/** Collects the names of the events of a stream. */
async function collect(response: Response, isEnough: (seen: ReadonlySet<string>) => boolean): Promise<Set<string>> {
  const seen = new Set<string>();
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) throw new Error("Nothing to read");
  while (!isEnough(seen)) {
    const { done, value } = await reader.read();
    if (done) break;
    for (const [, name = ""] of value.matchAll(/^event: (\w+)$/gm)) seen.add(name);
  }
  await reader.cancel();
  return seen;
}

describe("events", () => {
  it("tell what any process of the user did, to whoever is logged in", async () => {
    const root = scratch({ "a.txt": "a\n" });
    const { fetch, login } = await consoleOn(root);
    const response = await fetch(request("/api/events", { headers: { cookie: login.cookie } }));
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    const seen = collect(response, (names) => ["calls", "changes", "trash"].every((name) => names.has(name)));
    await callerOn(root)("delete", { path: "a.txt" });
    expect(await seen).toEqual(new Set(["calls", "changes", "trash"]));
  });

  it("tell of questions and of rules", async () => {
    const rules = [{ act: "delete" as const, decide: "approval" as const, origin: "f:1" }];
    const root = scratch({ "a.txt": "a\n" });
    const options = { ruleSource: { layers: [{ name: "user" as const, rules }] }, approvalWaitMs: 0 };
    const { agent, fetch, login, post, get } = await consoleOn(root, options);
    const open = () => fetch(request("/api/events", { headers: { cookie: login.cookie } }));
    const asked = collect(await open(), (names) => names.has("waiting"));
    await agent("delete", { path: "a.txt" });
    expect([...(await asked)]).toContain("waiting");
    const { questions } = await get<{ questions: { id: string }[] }>("/api/waiting");
    const granted = collect(await open(), (names) => names.has("rules"));
    await post(`/api/waiting/${questions[0]?.id}`, { decision: "always" });
    await agent("delete", { path: "a.txt" });
    expect([...(await granted)]).toContain("rules");
  });

  it("are for people only", async () => {
    const { fetch } = await consoleOn(scratch());
    expect((await fetch(request("/api/events"))).status).toBe(401);
  });

  it("end when the server does, and when the client leaves", async () => {
    const { server, login } = await consoleOn(scratch());
    const left = new AbortController();
    const open = (signal?: AbortSignal) =>
      server.fetch(request("/api/events", { headers: { cookie: login.cookie }, ...(signal && { signal }) }));
    const [first, second] = [await open(left.signal), await open()];
    left.abort();
    expect(await collect(first, () => false)).toEqual(new Set());
    const ended = collect(second, () => false);
    await server.close();
    expect(await ended).toEqual(new Set());
  });

  it("have a bound, and room again once somebody leaves", async () => {
    const { fetch, login } = await consoleOn(scratch());
    const open = () => fetch(request("/api/events", { headers: { cookie: login.cookie } }));
    const streams = await Promise.all(Array.from({ length: LIMITS.consoleStreams }, open));
    expect((await open()).status).toBe(409);
    await streams[0]?.body?.cancel();
    expect((await open()).status).toBe(200);
  });

  it("begin with how to connect again", async () => {
    const { fetch, login } = await consoleOn(scratch());
    const { body } = await fetch(request("/api/events", { headers: { cookie: login.cookie } }));
    const reader = body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(`retry: ${LIMITS.httpRetryMs}\n\n`);
    await reader?.cancel();
  });
});
