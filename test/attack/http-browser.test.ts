import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { startServer } from "../e2e/http-server.ts";
import { needs } from "../programs.ts";
import { scratch } from "../runtime/scratch.ts";

/** A name of an attacker that leads to this machine, as after DNS rebinding. */
const REBOUND = "rebound.example";

/** A person who is logged in, and pages of an attacker in the same browser. */
async function victim() {
  needs("chromium");
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: [`--host-resolver-rules=MAP ${REBOUND} 127.0.0.1`, ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
  });
  onTestFinished(() => browser.close());
  const root = scratch({ "a.txt": "one\n" });
  const server = await startServer(root);
  const context = await browser.newContext();
  const console = await context.newPage();
  await console.goto(server.console);
  await console.locator("main").waitFor();
  return { root, server, context, console };
}

/** Serves an empty page, as an agent or another program of the machine may. */
async function attackerPort(): Promise<number> {
  const server = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end("<!doctype html><title>attacker</title>");
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** Opens a page of the attacker. Returns it with the status of each answer that it got from the server, by path. */
async function attackFrom(context: BrowserContext, address: string, target: string) {
  const page = await context.newPage();
  const answers: string[] = [];
  page.on("response", (response) => {
    const { origin, pathname } = new URL(response.url());
    if (origin === target) answers.push(`${response.request().method()} ${pathname} ${response.status()}`);
  });
  await page.goto(address);
  return { page, answers };
}

/** Tries everything that a page can send elsewhere, with the cookies of the browser. Returns what it could read. */
const sendEverything = (page: Page, target: string): Promise<readonly string[]> =>
  page.evaluate(`(${ATTACK})(${JSON.stringify(target)})`);

const ATTACK = `async (target) => {
  const read = [];
  const attempt = async (path, init) => {
    try {
      const text = await (await fetch(target + path, { credentials: "include", ...init })).text();
      if (text !== "") read.push(path + ": " + text);
    } catch {} // The browser did not let the page read the answer.
  };
  const until = (begin) => new Promise((resolve) => (begin(resolve), setTimeout(resolve, 2000)));
  const json = { "content-type": "application/json" };
  await attempt("/api/health", {});
  await attempt("/api/health", { mode: "no-cors" });
  await attempt("/api/undo", { method: "POST", mode: "no-cors", body: "{}" });
  await attempt("/api/undo", { method: "POST", headers: { ...json, "x-holdfast-page": "1" }, body: "{}" });
  await attempt("/mcp", { method: "POST", mode: "no-cors", body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' });
  await attempt("/mcp", { method: "POST", headers: { ...json, authorization: "Bearer x" }, body: "{}" });
  await attempt("/metrics", {});
  await until((resolve) => {
    const image = new Image();
    image.onload = image.onerror = resolve;
    image.src = target + "/api/events";
  });
  await until((resolve) => {
    const events = new EventSource(target + "/api/events", { withCredentials: true });
    events.onopen = () => read.push("events opened");
    events.onerror = () => (events.close(), resolve());
  });
  return read;
}`;

/** Lists what the server refused, without what was refused before. */
function refusedBy(server: { log(): string }) {
  const all = (): readonly string[] =>
    server
      .log()
      .split("\n")
      .filter((line) => line.includes('"refused"'))
      .map((line) => JSON.parse(line) as { method: string; path: string; status: number })
      .map(({ method, path, status }) => `${method} ${path} ${status}`);
  const before = all().length;
  return () => all().slice(before).toSorted();
}

it.each([
  { name: "another port of this machine", host: "127.0.0.1" },
  { name: "another name of this machine", host: "localhost" },
  { name: "a name that was made to lead here", host: REBOUND },
])("a page of $name reads nothing and changes nothing, though the person is logged in", async ({ host }) => {
  const { root, server, context } = await victim();
  const refused = refusedBy(server);
  const { page } = await attackFrom(context, `http://${host}:${await attackerPort()}/`, server.origin);
  expect(await sendEverything(page, server.origin)).toEqual([]);
  expect(refused()).toEqual([
    "GET /api/events 401",
    "GET /api/events 403",
    "GET /api/health 401",
    "GET /api/health 403",
    "GET /metrics 403",
    "OPTIONS /api/undo 403",
    "OPTIONS /mcp 403",
    "POST /api/undo 403",
    "POST /mcp 403",
  ]);
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\n");
});

it("a page whose name leads to the server's own port gets nothing but a refusal (DNS rebinding)", async () => {
  const { server, context } = await victim();
  const rebound = server.origin.replace("127.0.0.1", REBOUND);
  const { page, answers } = await attackFrom(context, `${rebound}/console`, rebound);
  await page.evaluate('fetch("/api/health").then(({ status }) => status)');
  expect(answers).toEqual(["GET /console 403", "GET /api/health 403"]);
});

it("a page cannot show the console in a frame (clickjacking), nor log itself in by a form", async () => {
  const { server, context } = await victim();
  const { page, answers } = await attackFrom(context, `http://127.0.0.1:${await attackerPort()}/`, server.origin);
  await page.setContent(`<iframe src="${server.origin}/console"></iframe>`);
  await expect.poll(() => answers).toContain("GET /console 200");
  await expect.poll(() => page.frames().map((frame) => frame.url())).toContain("chrome-error://chromewebdata/");
  const inner = page.frames().find((frame) => frame !== page.mainFrame());
  expect(await inner?.locator("main").count()).toBe(0);
  await page.setContent(`<form method="post" action="${server.origin}/api/undo"><input name="x"></form>`);
  await page.evaluate('document.querySelector("form").submit()');
  await expect.poll(() => answers.at(-1)).toBe("POST /api/undo 403");
});

it("a page on another port neither reads the cookie nor locks the person out with one of the same name", async () => {
  const { server, context, console } = await victim();
  const { page } = await attackFrom(context, `http://127.0.0.1:${await attackerPort()}/`, server.origin);
  expect(await page.evaluate("document.cookie")).toBe("");
  // A longer path puts a cookie in front of ours.
  for (const path of ["/", "/api/", "/console"]) await page.evaluate(`document.cookie = "holdfast=evil; path=${path}"`);
  const statuses: number[] = [];
  console.on("response", (response) => statuses.push(response.status()));
  await console.reload();
  await console.locator("main").waitFor();
  await expect.poll(() => statuses.length).toBeGreaterThan(3);
  expect(statuses.filter((status) => status >= 400)).toEqual([]);
});
