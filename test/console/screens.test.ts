import axe from "axe-core";
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { SCREENS } from "../../src/faces/console/page/state/route-of.ts";
import { PHONE } from "./browser.ts";
import { consoleSuite } from "./console-suite.ts";
import { NOTHING } from "./page-server.ts";
import { HOSTILE } from "./recorded-rows.ts";

/** Screenshots of every screen are left here, to be looked at. */
const SHOTS = process.env["CONSOLE_SHOTS"] ?? join(tmpdir(), "holdfast-console-shots");
mkdirSync(SHOTS, { recursive: true });

const ADDRESSES = [
  ...SCREENS,
  "change/c-81f2",
  "change/c-8097",
  "change/c-81f2,c-81e7",
  "waiting/q-1",
  "waiting/q-3",
  "jobs/4",
  "files/src%2Frates%2Fseason.ts",
];
const LOOKS = [
  { name: "light", options: { colorScheme: "light" } },
  { name: "dark", options: { colorScheme: "dark" } },
  { name: "phone", options: { viewport: PHONE } },
  { name: "phone-dark", options: { viewport: PHONE, colorScheme: "dark" } },
] as const;

const console = consoleSuite();

it.each(LOOKS)("every screen is drawn and accessible in $name", async ({ name, options }) => {
  const page = await console.open("#/timeline", options);
  await page.evaluate(axe.source);
  for (const address of ADDRESSES) {
    await page.evaluate(`location.hash = "#/${address}"`);
    await page
      .locator(`main .on-${screenOf(address)} :is([data-row], td, .title):visible`)
      .first()
      .waitFor();
    await page.locator("main :is(.diff, .term, td, li):visible").first().waitFor();
    await page.screenshot({ path: join(SHOTS, `${address.replaceAll(/\W+/g, "-")}-${name}.png`) });
    expect([address, await violations(page)]).toStrictEqual([address, []]);
    expect([address, await page.evaluate("document.documentElement.scrollWidth - innerWidth")]).toStrictEqual([
      address,
      0,
    ]);
  }
});

const screenOf = (address: string): string => (address.split("/")[0] ?? "").replace("change", "history");

/** Returns what axe finds wrong. That it found anything right shows that it looked. */
async function violations(page: Page): Promise<unknown> {
  const { wrong, right } = await page.evaluate<{ wrong: unknown; right: number }>(
    `axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] }).then((found) => ({
      wrong: found.violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 160))]),
      right: found.passes.length,
    }))`,
  );
  expect(right).toBeGreaterThan(20);
  return wrong;
}

it("names and contents are text: nothing of them runs, and they read in one direction", async () => {
  const page = await console.open("#/change/c-8097");
  const shown = HOSTILE.replace("\u202E", "\\u{202e}");
  await expect.poll(() => page.locator("main .diff").innerText()).toContain(shown);
  expect(await page.locator("main h2.title").innerText()).toContain("script>\\u{202e}txt.exe");
  for (const screen of ["timeline", "waiting/q-1", "files", "trash", "jobs/4"]) {
    await page.evaluate(`location.hash = "#/${screen}"`);
    await expect.poll(() => page.locator("main").innerText()).toContain("\\u{202e}txt.exe");
  }
  expect(await page.locator("main img, main script").count()).toBe(0);
});

it.each([
  ["timeline", "Nothing has happened yet"],
  ["waiting", "Nothing waits for you"],
  ["history", "No changes yet"],
  ["files", "No file was changed yet"],
  ["trash", "The trash is empty"],
  ["jobs", "No commands yet"],
])("%s says that there is nothing", async (screen, text) => {
  for (const [path, answer] of NOTHING) console.server.answers.set(path, answer);
  const page = await console.open(`#/${screen}`);
  await page.getByRole("heading", { name: text }).waitFor();
  expect(await page.locator(".top .a-none").innerText()).toBe("Nothing waits for you");
});

it("no screen has what its policy forbids: a style attribute", async () => {
  const page = await console.open("#/timeline");
  for (const screen of SCREENS) {
    await page.evaluate(`location.hash = "#/${screen}"`);
    await page.locator(`main .on-${screen}`).waitFor();
    expect(await page.locator("[style]").count()).toBe(0);
  }
});
