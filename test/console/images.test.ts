import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { expect, it } from "vitest";
import { PHONE } from "./browser.ts";
import { consoleSuite } from "./console-suite.ts";
import { changeList, HOSTILE, timeline } from "./recorded-rows.ts";

/** The images of the documents: `CONSOLE_IMAGES=docs/images npx vitest run test/console/images.test.ts` draws them. */
const IMAGES = process.env["CONSOLE_IMAGES"] ?? join(tmpdir(), "holdfast-console-images");
mkdirSync(IMAGES, { recursive: true });

const console = consoleSuite();
const isTame = (row: object): boolean => !JSON.stringify(row).includes(JSON.stringify(HOSTILE).slice(1, 12));

it.each([
  { name: "console", hash: "#/timeline/e-c-81f2", options: {}, shows: [".event.wait", ".inspector .diff"] },
  {
    name: "console-phone",
    hash: "#/timeline",
    options: { viewport: PHONE },
    shows: [".diff", ".event"],
  },
])("draws $name with what its caption says", async ({ name, hash, options, shows }) => {
  console.server.answers.set("/api/timeline", { events: timeline.events.filter(isTame) });
  console.server.answers.set("/api/changes", { changes: changeList.filter(isTame) });
  const page = await console.open(hash, { reducedMotion: "reduce", ...options });
  for (const part of shows) await page.locator(part).locator("visible=true").first().waitFor();
  const image = await sharp(await page.screenshot())
    .png({ palette: true, quality: 100, effort: 10 })
    .toBuffer();
  writeFileSync(join(IMAGES, `${name}.png`), image);
  expect(image.length).toBeGreaterThan(20_000);
  expect(await page.locator("main").innerText()).not.toContain("<img");
});
