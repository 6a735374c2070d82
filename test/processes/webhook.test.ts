import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { ApprovalAnswer } from "../../src/runtime/approvals/approval.ts";
import { ASK, late, sessionOn, tamper, TREE, type Workroom } from "../runtime/approvals/approving.ts";
import { scratch } from "../runtime/scratch.ts";

interface Posted {
  readonly id: string;
  readonly tool: string;
  readonly link: string;
  readonly effect: { readonly parts: readonly object[] };
}

/** Starts a server that receives the questions. */
async function receiver(status = 200) {
  const posted: Posted[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      posted.push(body as Posted);
      response.writeHead(status).end();
    });
  });
  server.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ask`;
  return { url, posted };
}

const DELETE = { path: "a.txt" };

/** A workspace whose questions go to a webhook. The caller's own client has nobody to ask. */
async function room({ rules = ASK, options = {} }: Workroom = {}) {
  const { url, posted } = await receiver();
  const root = scratch({ ...TREE, "<img src=x>.txt": "<script>" });
  const { caller, ...more } = sessionOn(root, { rules, options: { approvalWebhook: { url }, ...options } });
  const call = (input: object = DELETE) => caller("delete", input, { channel: undefined });
  const asked = async (): Promise<Posted> => vi.waitUntil(() => posted[0]);
  return { ...more, root, call, caller, asked, posted };
}

const post = (link: string, form: Readonly<Record<string, string>>) =>
  fetch(link, { method: "POST", body: new URLSearchParams(form) });

describe("a link", () => {
  it.each<{ decision: ApprovalAnswer["decision"]; code: string; again: string }>([
    { decision: "once", code: "ok", again: "pending" },
    { decision: "session", code: "ok", again: "ok" },
    { decision: "always", code: "ok", again: "ok" },
    { decision: "deny", code: "denied", again: "pending" },
  ])("answers: $decision", async ({ decision, code, again }) => {
    const { root, call, asked } = await room({ options: { approvalWaitMs: 2000 } });
    const waiting = call();
    const { link, tool, effect } = await asked();
    expect([tool, effect.parts]).toMatchObject(["delete", [{ action: "remove", path: join(root, "a.txt") }]]);
    const answer = await post(link, { decision, reason: "keep it", who: "Ann" });
    expect([answer.status, (await waiting).code]).toEqual([200, code]);
    writeFileSync(join(root, "a.txt"), "again");
    expect((await call()).code).toBe(again);
  });

  it("shows all of it, and answers nothing by that", async () => {
    const { call, asked, store } = await room({ options: { approvalWaitMs: 0 } });
    await call({ path: "<img src=x>.txt" });
    const { link, id } = await asked();
    const shown = await fetch(link);
    const html = await shown.text();
    expect([shown.status, html.includes("&#60;img src=x&#62;.txt"), html.includes("<img")]).toEqual([200, true, false]);
    expect(shown.headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
    expect([...html.matchAll(/<button[^>]*value="(\w+)"/g)].map(([, value]) => value)).toEqual(["deny", "once"]);
    expect(store.read(id)?.answer).toBeUndefined();
  });

  it("answers after the call has ended, and the call is made again", async () => {
    const { root, call, asked, posted } = await room({ options: { approvalWaitMs: 0 } });
    expect((await call()).code).toBe("pending");
    const { link } = await asked();
    expect((await call()).code).toBe("pending");
    await post(link, { decision: "once" });
    expect([(await call()).code, existsSync(join(root, "a.txt")), posted.length]).toEqual(["ok", false, 1]);
  });

  it("leads nowhere once nothing is open", async () => {
    const { call, asked } = await room();
    const waiting = call();
    const { link } = await asked();
    await post(link, { decision: "once" });
    await waiting;
    await expect(fetch(link)).rejects.toThrow("fetch failed");
  });
});

const altered = (link: string): string => link.replace(/.$/, (last) => (last === "A" ? "E" : "A"));

describe("nothing is answered by", () => {
  it.each<{ name: string; change?: (link: string) => string; init?: RequestInit; status: number }>([
    { name: "a signature that was altered", change: altered, status: 404 },
    { name: "a signature that is cut", change: (link) => link.slice(0, -1), status: 404 },
    { name: "no signature", change: (link) => link.replace(/[^/]+$/, ""), status: 404 },
    { name: "another question", change: (link) => link.replace(/approvals\/./, "approvals/x"), status: 404 },
    { name: "a word that is none", init: { body: "decision=perhaps" }, status: 400 },
    { name: "too many words", init: { body: `decision=once&reason=${"x".repeat(20_000)}` }, status: 400 },
    { name: "another method", init: { method: "PUT" }, status: 405 },
  ])("$name", async ({ change = (link) => link, init, status }) => {
    const { call, asked, store } = await room({ options: { approvalWaitMs: 0 } });
    await call();
    const { link, id } = await asked();
    const result = await fetch(change(link), { method: "POST", body: "decision=once", ...init });
    expect([result.status, store.read(id)?.answer]).toEqual([status, undefined]);
  });

  it("a link that was used: the first answer counts, and the other one is told", async () => {
    const { call, asked, store } = await room({ options: { approvalWaitMs: 0 } });
    await call();
    await call({ path: "keep.txt" });
    const { link, id } = await asked();
    expect((await post(link, { decision: "deny" })).status).toBe(200);
    expect((await post(link, { decision: "once" })).status).toBe(410);
    expect(store.read(id)?.answer?.decision).toBe("deny");
  });

  it("a link whose time is over, or that was given more of it", async () => {
    const { app, call, asked } = await room({ options: { approvalWaitMs: 0 } });
    await call();
    const { link } = await asked();
    tamper(app.stateDirectory, late);
    expect((await post(link, { decision: "once" })).status).toBe(404);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 25 * 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    const { call: later, asked: askedLater } = await room({ options: { approvalWaitMs: 0 } });
    await later();
    const second = await askedLater();
    vi.setSystemTime(Date.now() + 25 * 3_600_000);
    expect((await post(second.link, { decision: "once" })).status).toBe(410);
  });

  it("a race that was lost", async () => {
    const { call, asked, store } = await room({ options: { approvalWaitMs: 0 } });
    await call();
    const { link, id } = await asked();
    const [there, here] = await Promise.all([
      post(link, { decision: "once" }).then(({ status }) => status === 200),
      store.answer(id, { decision: "deny" }, "cli").then(
        () => true,
        () => false,
      ),
    ]);
    expect(there).not.toBe(here);
    expect(store.read(id)?.answer?.by).toBe(there ? "webhook" : "cli");
  });
});

it("the rules can leave it to the link alone", async () => {
  const rules = ASK.map((rule) => ({ ...rule, channels: ["webhook" as const] }));
  const { caller, asked } = await room({ rules });
  const waiting = caller("delete", DELETE, { channel: { name: "client", ask: () => expect.fail("asked") } });
  await post((await asked()).link, { decision: "once" });
  expect((await waiting).code).toBe("ok");
});

it("a client that has to be answered to ask does not wait for the link", async () => {
  const { caller, asked } = await room();
  const channel = { name: "client" as const, isAnsweredByNextCall: true, ask: async () => undefined };
  expect((await caller("delete", DELETE, { channel })).code).toBe("pending");
  await asked();
});

it("an address that cannot be reached is told, and has not answered", async () => {
  const { url } = await receiver(500);
  const warnings: string[] = [];
  const options = { approvalWebhook: { url }, warn: (message: string) => void warnings.push(message) };
  const { caller } = sessionOn(scratch(TREE), { options });
  expect((await caller("delete", DELETE, { channel: undefined })).code).toBe("pending");
  expect(warnings).toEqual(["Cannot ask for approval by webhook: Error: it answered with status 500"]);
});

it("links begin where the operator says, and lead to his port", async () => {
  const free = createServer().listen(0, "127.0.0.1");
  await once(free, "listening");
  const { port } = free.address() as AddressInfo;
  await new Promise((closed) => free.close(closed));
  const { url, posted } = await receiver();
  const options = { approvalWaitMs: 0, approvalWebhook: { url, port, link: "https://yes.example/holdfast/" } };
  const { caller, store } = sessionOn(scratch(TREE), { options });
  await caller("delete", DELETE, { channel: undefined });
  const { link, id } = await vi.waitUntil(() => posted[0]);
  expect(link).toMatch(/^https:\/\/yes\.example\/holdfast\/approvals\/[0-9a-f]{12}\/[\w-]{43}$/);
  await post(link.replace("https://yes.example/holdfast", `http://127.0.0.1:${port}`), { decision: "deny" });
  expect(store.read(id)?.answer).toMatchObject({ decision: "deny", by: "webhook" });
});
