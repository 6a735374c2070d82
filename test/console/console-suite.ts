import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeEach, expect } from "vitest";
import { needs } from "../programs.ts";
import { openPage, startBrowser, type WatchedPage } from "./browser.ts";
import { type PageServer, startPageServer } from "./page-server.ts";

/** A browser for a file of tests, with a server and a page of its own for each of them. */
export interface ConsoleSuite {
  /** Opens the page at an address such as "#/waiting". */
  open(hash: string, options?: BrowserContextOptions): Promise<Page>;
  readonly server: PageServer;
  /** Returns what the page told the server to do. */
  posts(): readonly { readonly path: string; readonly body: unknown }[];
}

/** Fails each test on whose page something went wrong: an error, a dialog, a script of a name, a request elsewhere. */
export function consoleSuite(): ConsoleSuite {
  let browser: Browser | undefined;
  let server: PageServer | undefined;
  let opened: WatchedPage | undefined;
  beforeEach(async () => {
    needs("chromium");
    browser ??= await startBrowser();
    server = await startPageServer();
    return async () => {
      const [ran, problems] = [await opened?.page.evaluate("globalThis.ran"), opened?.problems ?? []];
      await opened?.close();
      opened = undefined;
      await server?.close();
      expect(ran).toBeUndefined();
      expect(problems).toStrictEqual([]);
    };
  });
  afterAll(() => browser?.close());
  const running = (): PageServer => {
    if (!server) throw new Error("No test runs");
    return server;
  };
  return {
    get server() {
      return running();
    },
    open: async (hash, options) => {
      if (!browser) throw new Error("No test runs");
      opened = await openPage(browser, `${running().url}/${hash}`, options);
      return opened.page;
    },
    posts: () =>
      running()
        .requests.filter(({ method }) => method === "POST")
        .map(({ path, body }) => ({ path, body })),
  };
}
