import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, it, onTestFinished, vi } from "vitest";
import type { Overview, UndoOutcome, WaitingList } from "../../src/faces/console/contract.ts";
import { scratch, stateBeside } from "../runtime/scratch.ts";
import { WHILE_BUSY } from "../work.ts";
import { run } from "./bin.ts";
import { startServer } from "./http-server.ts";

/** A server on a real port, an agent that is its client, and a person who opened the link. */
async function workplace() {
  const root = scratch({ "a.txt": "one\ntwo\n", "build/x.js": "x" });
  const config = join(root, "..", "rules.jsonc");
  writeFileSync(
    config,
    '{ "policy": { "rules": [{ "act": "delete", "decide": "approval", "reason": "it is asked" }] } }',
  );
  const server = await startServer(root, ["--config", config]);
  const client = new Client({ name: "holdfast-test", version: "1" });
  onTestFinished(() => client.close());
  const requestInit = { headers: { Authorization: `Bearer ${server.token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit }));
  const opened = await fetch(server.console, { redirect: "manual" });
  const headers = {
    cookie: (opened.headers.get("set-cookie") ?? "").split(";")[0] ?? "",
    "content-type": "application/json",
    "x-holdfast": "1",
    "x-holdfast-key": opened.headers.get("location")?.split("=")[1] ?? "",
  };
  const api = async <Data>(path: string, body?: object): Promise<Data> => {
    const init = body ? { method: "POST", body: JSON.stringify(body), headers } : { headers };
    return (await fetch(`${server.origin}/api/${path}`, init)).json() as Promise<Data>;
  };
  const call = (name: string, input: Record<string, unknown>) => client.callTool({ name, arguments: input });
  return { root, server, headers, api, call };
}

it("a call waits, the console shows it, a click lets it go on", async () => {
  const { root, server, headers, api, call } = await workplace();
  const stream = await fetch(`${server.origin}/api/events`, { headers: { cookie: headers.cookie } });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  const waits = call("delete", { path: "build", recursive: true });
  for (let seen = ""; !seen.includes("event: waiting\n");) seen += (await reader?.read())?.value ?? "";
  await reader?.cancel();
  const { questions } = await api<WaitingList>("waiting");
  expect(questions).toMatchObject([{ state: "pending", tool: "delete", current: true, answerable: true }]);
  expect(existsSync(join(root, "build"))).toBe(true);
  expect(await api(`waiting/${questions[0]?.id}`, { decision: "once" })).toEqual({});
  expect((await waits).isError).toBeFalsy();
  expect(existsSync(join(root, "build"))).toBe(false);
  expect(await api<Overview>("overview")).toMatchObject({ waiting: 0, trash: 1, roots: [root] });
});

it("undoes with a preview that names the conflict", async () => {
  const { root, api, call } = await workplace();
  const { structuredContent } = await call("edit", { path: "a.txt", old_text: "two", new_text: "2" });
  const { change_id: change } = structuredContent as { change_id: string };
  writeFileSync(join(root, "a.txt"), "one\nmine\n");
  const conflicts = [{ path: "a.txt", reason: expect.any(String) }];
  for (const dryRun of [true, false])
    expect(await api<UndoOutcome>("undo", { change, dryRun })).toEqual({
      done: false,
      files: [],
      conflicts,
      notes: [],
    });
  writeFileSync(join(root, "a.txt"), "one\n2\n");
  expect(await api<UndoOutcome>("undo", { change, dryRun: false })).toMatchObject({ done: true, conflicts: [] });
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\ntwo\n");
});

it("shows what servers on standard input and output did elsewhere, and undoes it there", async () => {
  const { root, api } = await workplace();
  const elsewhere = scratch({ "b.txt": "old\n" });
  const words = ["call", "write", JSON.stringify({ path: "b.txt", content: "new\n" }), "--root", elsewhere];
  await run(words, { env: { HOLDFAST_STATE: stateBeside(root) } });
  const changes = async () => (await api<{ changes: { id: string; files: object[] }[] }>("changes")).changes;
  await vi.waitFor(async () => expect(await changes()).toMatchObject([{ files: [{ path: "b.txt" }] }]), WHILE_BUSY);
  const [{ id: change } = { id: "" }] = await changes();
  expect(await api<UndoOutcome>("undo", { change, dryRun: false })).toMatchObject({ done: true });
  expect(readFileSync(join(elsewhere, "b.txt"), "utf8")).toBe("old\n");
});

it("serves the page that was built", async () => {
  const { server } = await workplace();
  const page = await fetch(`${server.origin}/console`);
  expect([page.status, page.headers.get("content-security-policy")]).toEqual([
    200,
    expect.stringContaining("trusted-types"),
  ]);
  const files = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = ""]) => path);
  for (const path of files) expect((await fetch(server.origin + path)).status).toBe(200);
  expect(files).not.toEqual([]);
});

it("ends its streams when the server stops", async () => {
  const { server, headers } = await workplace();
  const stream = await fetch(`${server.origin}/api/events`, { headers: { cookie: headers.cookie } });
  const ended = stream.text().catch(() => "cut");
  const began = Date.now();
  server.child.kill("SIGTERM");
  expect(await ended).toMatch(/^retry: /);
  await server.exited;
  expect(Date.now() - began).toBeLessThan(10_000);
});
