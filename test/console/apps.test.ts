import axe from "axe-core";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { getToolUiResourceUri, RESOURCE_MIME_TYPE } from "@modelcontextprotocol/ext-apps/app-bridge";
import type { Browser, FrameLocator, Page } from "playwright-core";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { connect, ERAS } from "../e2e/bin.ts";
import { startServer } from "../e2e/http-server.ts";
import { needs } from "../programs.ts";
import { scratch } from "../runtime/scratch.ts";
import { hostScript } from "./app-host.ts";
import { startBrowser } from "./browser.ts";

const SHOTS = process.env["CONSOLE_SHOTS"] ?? join(tmpdir(), "holdfast-console-shots");
const UI = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: [RESOURCE_MIME_TYPE] } } };
const CONFIG = {
  approvals: { waitSeconds: 0 },
  policy: { rules: [{ act: "delete", decide: "approval", reason: "deleting is asked about" }] },
};
const HOSTILE = '<img src=x onerror="globalThis.ran=1"></script><script>globalThis.ran=1</script>\u202Etxt';

let browser: Browser | undefined;
afterAll(() => browser?.close());

/** A real server, a chat that shows views, and a person who may open the console. */
async function chat() {
  needs("chromium");
  browser ??= await startBrowser();
  const root = scratch({ "a.txt": "one\ntwo\n" });
  const config = join(dirname(root), "rules.jsonc");
  writeFileSync(config, JSON.stringify(CONFIG));
  const server = await startServer(root, ["--config", config]);
  const client = new Client({ name: "chat", version: "1" }, { capabilities: UI });
  onTestFinished(() => client.close());
  const requestInit = { headers: { authorization: `Bearer ${server.token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit }));
  const call = (name: string, input: Record<string, unknown>) => client.callTool({ name, arguments: input });
  const page = await browser.newPage({ viewport: { width: 680, height: 500 } });
  onTestFinished(() => page.close());
  const heard: [string, string][] = [];
  const problems: string[] = [];
  page.on("pageerror", ({ message }) => problems.push(message));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await page.exposeFunction("callTool", call);
  await page.exposeFunction("heard", (what: string, text: string) => void heard.push([what, text]));
  await page.setContent("<!doctype html><title>chat</title>");
  await page.addScriptTag({ content: await hostScript() });
  /** Makes a call, and shows its result in the view that the list of tools names for it. */
  const show = async (tool: string, input: Record<string, unknown>, theme = "light"): Promise<FrameLocator> => {
    const { tools } = await client.listTools();
    const resourceUri = getToolUiResourceUri(tools.find(({ name }) => name === tool) ?? {}) ?? "";
    const { contents } = await client.readResource({ uri: resourceUri });
    expect(contents).toEqual([
      {
        uri: resourceUri,
        mimeType: RESOURCE_MIME_TYPE,
        text: expect.any(String),
        _meta: { ui: { csp: {}, prefersBorder: true } },
      },
    ]);
    const [view] = contents;
    const html = view && "text" in view ? view.text : "";
    await page.evaluate(`showView(...${JSON.stringify([html, await call(tool, input), theme])})`);
    return page.frameLocator("iframe");
  };
  return { root, server, page, heard, problems, show, text: () => readFileSync(join(root, "a.txt"), "utf8") };
}

const EDIT = { path: "a.txt", old_text: "two", new_text: "2" };

async function shoot(page: Page, name: string): Promise<void> {
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `app-${name}.png`) });
}

describe("the view of a change", () => {
  it.each(["light", "dark"])("shows the diff, previews an undo, and takes it back (%s)", async (theme) => {
    const { page, heard, problems, show, text } = await chat();
    const view = await show("edit", EDIT, theme);
    await expect.poll(() => view.locator(".diff .del").innerText()).toBe("-two");
    expect(await view.locator(".diff .add").innerText()).toBe("+2");
    await shoot(page, `change-${theme}`);
    await view.getByRole("button", { name: "Undo…" }).click();
    await view.getByText("Would bring back a.txt").waitFor();
    expect(text()).toBe("one\n2\n");
    await shoot(page, `preview-${theme}`);
    await view.getByRole("button", { name: "Undo", exact: true }).click();
    await view.getByText("Brought back a.txt").waitFor();
    expect(text()).toBe("one\ntwo\n");
    expect(heard).toEqual([["model", expect.stringContaining("The user took back the change")]]);
    expect(problems).toEqual([]);
  });

  it("keeps the change, and says what is in the way of an undo", async () => {
    const { root, show, text } = await chat();
    const view = await show("edit", EDIT);
    await view.getByRole("button", { name: "Undo…" }).click();
    await view.getByRole("button", { name: "Keep" }).click();
    writeFileSync(join(root, "a.txt"), "mine\n");
    await view.getByRole("button", { name: "Undo…" }).click();
    await view.getByText("Cannot undo: something is in the way").waitFor();
    expect(await view.getByRole("button", { name: "Undo", exact: true }).count()).toBe(0);
    expect(text()).toBe("mine\n");
  });

  it("shows names and contents as text: nothing of them runs, and they read in one direction", async () => {
    const { root, page, problems, show } = await chat();
    const path = `${HOSTILE.replaceAll("/", "_")}.txt`;
    writeFileSync(join(root, path), "old\n");
    const view = await show("edit", { path, old_text: "old", new_text: HOSTILE });
    await expect.poll(() => view.locator(".diff .add").innerText()).toBe(`+${HOSTILE.replace("\u202E", "\\u{202e}")}`);
    expect(await view.locator("img, script:not(body > script)").count()).toBe(0);
    const frame = page.frames().find((each) => each !== page.mainFrame());
    expect(await frame?.evaluate("globalThis.ran")).toBeUndefined();
    expect(problems).toEqual([]);
  });

  it("has no violation that axe finds", async () => {
    const { page, show } = await chat();
    const view = await show("edit", EDIT);
    await view.locator(".diff").waitFor();
    const frame = page.frames().find((each) => each !== page.mainFrame());
    await frame?.evaluate(axe.source);
    const run = 'axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] })';
    expect(await frame?.evaluate(`${run}.then(({ violations }) => violations.map(({ id }) => id))`)).toEqual([]);
  });
});

describe("a click in a view", () => {
  it("is a call of the model: where the rules ask a person, it waits for one", async () => {
    const { root, server, page, heard, show } = await chat();
    const path = join(root, "new.txt");
    const view = await show("write", { path: "new.txt", content: "new\n" });
    await view.getByRole("button", { name: "Undo…" }).click();
    await view.getByRole("button", { name: "Undo", exact: true }).click();
    await view.getByRole("heading", { name: "Waits for your answer" }).waitFor();
    await shoot(page, "pending");
    expect([existsSync(path), await view.getByRole("button").allInnerTexts()]).toEqual([
      true,
      ["Open in console", "I answered, go on"],
    ]);
    await view.getByRole("button", { name: "I answered, go on" }).click();
    await expect.poll(() => view.getByRole("button", { name: "I answered, go on" }).isEnabled()).toBe(true);
    expect(existsSync(path)).toBe(true);
    await view.getByRole("button", { name: "Open in console" }).click();
    await expect.poll(() => heard).toEqual([["link", expect.stringMatching(`^${server.origin}/console#/waiting/`)]]);
    await answer(server, heard[0]?.[1] ?? "");
    await view.getByRole("button", { name: "I answered, go on" }).click();
    await expect.poll(() => existsSync(path)).toBe(false);
    await expect.poll(() => heard.at(-1)?.[0]).toBe("model");
  });
});

/** Opens the link in the browser of a person who is not logged in, logs in beside it, and answers. */
async function answer(server: { readonly console: string }, link: string): Promise<void> {
  const person = await browser?.newContext();
  onTestFinished(async () => person?.close());
  const page = await person?.newPage();
  await page?.goto(link);
  await page?.getByText("You are signed out").waitFor();
  const login = await person?.newPage();
  await login?.goto(server.console);
  await page?.getByText("deleting is asked about").first().waitFor();
  await page?.getByRole("button", { name: "Approve once" }).click();
  await page?.locator(".toast.on").waitFor();
}

describe.each(ERAS)("a client of $era", ({ options }) => {
  const listed = async (capabilities: ClientOptions["capabilities"]) => {
    const client = await connect(scratch({}), { ...options, ...(capabilities && { capabilities }) });
    const { tools } = await client.listTools();
    return { client, views: tools.flatMap(({ name, _meta: meta }) => (meta?.["ui"] ? [name] : [])) };
  };

  it("is told of views only if it shows them", async () => {
    const { client, views } = await listed(UI);
    expect(views.toSorted()).toEqual(["apply_patch", "copy", "delete", "edit", "move", "restore", "undo", "write"]);
    expect(client.getServerCapabilities()?.extensions).toEqual({ "io.modelcontextprotocol/ui": {} });
    expect((await listed(undefined)).views).toEqual([]);
    const other = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/other"] } } };
    expect((await listed(other)).views).toEqual([]);
  });
});
