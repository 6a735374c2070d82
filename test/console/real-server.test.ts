import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Browser, Page } from "playwright-core";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { startServer } from "../e2e/http-server.ts";
import { needs } from "../programs.ts";
import { scratch } from "../runtime/scratch.ts";
import { startBrowser } from "./browser.ts";

const RULES = { policy: { rules: [{ act: "delete", decide: "approval", reason: "deleting is asked about" }] } };

let browser: Browser | undefined;
afterAll(() => browser?.close());

/** A real server, an agent that is its client, and a person who opened the link in a browser. */
async function workplace() {
  needs("chromium");
  browser ??= await startBrowser();
  const root = scratch({ "a.txt": "one\ntwo\n", "build/x.js": "x" });
  const config = join(dirname(root), "rules.jsonc");
  writeFileSync(config, JSON.stringify(RULES));
  const server = await startServer(root, ["--config", config]);
  const client = new Client({ name: "robin-code", version: "1" });
  onTestFinished(() => client.close());
  const requestInit = { headers: { authorization: `Bearer ${server.token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit }));
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  const problems: string[] = [];
  page.on("pageerror", ({ message }) => problems.push(message));
  page.on("response", (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
  });
  await page.goto(server.console);
  await page.locator("main").waitFor();
  const call = (name: string, input: Record<string, unknown>) => client.callTool({ name, arguments: input });
  return { root, page, problems, call };
}

/** Goes through all screens by their keys. */
async function lookAround(page: Page): Promise<void> {
  for (const key of "12345678") {
    await page.keyboard.press(key);
    await page.locator("main").waitFor();
    await page.waitForLoadState("networkidle");
  }
}

it("shows every screen of a real server without a refusal", async () => {
  const { page, problems, call } = await workplace();
  await call("edit", { path: "a.txt", old_text: "two", new_text: "2" });
  await lookAround(page);
  expect(problems).toEqual([]);
  await expect.poll(() => page.locator(".sessions, main").getByText("robin-code").count(), POLL).toBeGreaterThan(0);
});

it("a person lets a call go on by a key", async () => {
  const { root, page, call } = await workplace();
  const waits = call("delete", { path: "build", recursive: true });
  waits.catch(() => {});
  await page.keyboard.press("2");
  await page.getByText("deleting is asked about").first().waitFor();
  // Who asks is known before the call has ended.
  await page.locator(".who").getByText("robin-code").first().waitFor();
  // An answer counts only once the question has been in view for a moment.
  await expect.poll(async () => (await page.keyboard.press("a"), existsSync(join(root, "build"))), POLL).toBe(false);
  expect((await waits).isError).toBeFalsy();
});

it("a person takes back a change by a key", async () => {
  const { root, page, call } = await workplace();
  await call("edit", { path: "a.txt", old_text: "two", new_text: "2" });
  await page.keyboard.press("3");
  await page.getByText("a.txt").first().waitFor();
  await expect
    .poll(async () => (await page.keyboard.press("u"), readFileSync(join(root, "a.txt"), "utf8")), POLL)
    .toBe("one\ntwo\n");
});

const POLL = { timeout: 20_000, interval: 1000 };
