import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { NOW } from "./recorded-rows.ts";

const WIDE = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** Starts Debian's Chromium. Its sandbox does not work for root, as which continuous integration runs. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });

/** A page of its own browser context, with everything that must not happen on it. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors, dialogs and requests to other places. */
  readonly problems: string[];
  close(): Promise<void>;
}

/** Opens an address at a fixed time in UTC, and watches the page. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: WIDE, timezoneId: "UTC", colorScheme: "light", ...options });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" && !isRefusal(message.text())) problems.push(message.text());
  });
  page.on("pageerror", ({ message }) => problems.push(message));
  page.on("dialog", (dialog) => {
    problems.push(dialog.message());
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(new URL(url).origin)) problems.push(`requests ${request.url()}`);
  });
  await page.clock.setFixedTime(new Date(NOW));
  await page.goto(url);
  await page.locator("main").waitFor();
  return { page, problems, close: () => context.close() };
}

/** The browser reports each request that a server refuses; the page shows that itself. */
const isRefusal = (text: string): boolean => text.startsWith("Failed to load resource:");
