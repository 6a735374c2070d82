import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { SCREENS } from "../../src/faces/console/page/state/route-of.ts";
import { PHONE } from "./browser.ts";
import { consoleSuite } from "./console-suite.ts";
import { withNewer } from "./page-server.ts";
import { overview, timeline, waiting } from "./recorded-rows.ts";

const console = consoleSuite();

const hash = (page: Page): Promise<string> => page.evaluate("location.hash");
const toast = (page: Page) => page.locator(".toast.on");
/** A key answers only a question that was in view for a moment. */
const look = (page: Page): Promise<void> => page.waitForTimeout(700);

describe("the login", () => {
  it("takes its key out of the address and sends it with what changes something", async () => {
    const page = await console.open("#key=s3cret");
    await expect.poll(() => hash(page)).toBe("#/timeline");
    await page.getByRole("link", { name: "README.md" }).first().click();
    await page.goto(`${console.server.url}/#/trash`);
    await page.getByRole("button", { name: "Restore", exact: true }).first().click();
    await toast(page).waitFor();
    const { requests } = console.server;
    expect(requests.filter(({ header }) => header !== "1")).toStrictEqual([]);
    expect(requests.filter(({ key }) => key !== undefined).map(({ path }) => path)).toStrictEqual([
      "/api/trash/t-1/restore",
    ]);
    expect(requests.find(({ method }) => method === "POST")?.key).toBe("s3cret");
  });
});

describe("the timeline", () => {
  it("is walked with j and k; the address, the focus and the details follow", async () => {
    const page = await console.open("#/timeline");
    await page.locator(".event.selected").waitFor();
    await page.keyboard.press("j");
    await expect.poll(() => hash(page)).toBe("#/timeline/e-c-81f2");
    await expect.poll(() => page.evaluate("document.activeElement.dataset.row")).toBe("e-c-81f2");
    await expect.poll(() => page.locator(".inspector .diff").count()).toBe(2);
    await page.keyboard.press("k");
    await page.keyboard.press("k");
    await expect.poll(() => page.locator(".inspector h2").innerText()).toContain("season.ts");
    await page.keyboard.press("G");
    await expect.poll(() => page.locator(".event.selected time").innerText()).toBe("12:32");
    await page.keyboard.press("g");
    await page.keyboard.press("Enter");
    await expect.poll(() => hash(page)).toBe("#/waiting/q-2");
  });

  it("unfolds reads, keeps to a filter, and searches", async () => {
    const page = await console.open("#/timeline");
    await page.getByRole("button", { name: "14 reads, 3 searches" }).click();
    await expect.poll(() => page.locator(".event.read").count()).toBe(19);
    await page.getByRole("button", { name: "Blocked" }).click();
    await expect.poll(() => page.locator(".event").count()).toBe(2);
    await page.locator(".chips").getByRole("button", { name: "All" }).click();
    await page.keyboard.press("/");
    await page.keyboard.type("calendar");
    await expect.poll(() => page.locator(".event:not(.wait)").count()).toBe(3);
  });

  it("undoes a clean change at once, and takes the undo back with the same key", async () => {
    const page = await console.open("#/timeline/e-c-81e7");
    await page.locator(".event.selected").waitFor();
    await page.keyboard.press("u");
    await expect.poll(() => toast(page).innerText()).toContain("Undone");
    expect(console.posts()).toStrictEqual([
      { path: "/api/undo", body: { change: "c-81e7", dryRun: true } },
      { path: "/api/undo", body: { change: "c-81e7", dryRun: false } },
    ]);
    console.server.answers.set("/api/timeline", {
      events: timeline.events.map((event) =>
        event.change?.id === "c-81e7" ? { ...event, change: { ...event.change, undone: true } } : event,
      ),
    });
    console.server.emit("changes");
    await page.locator(".event.selected.undone").waitFor();
    await page.keyboard.press("u");
    await expect.poll(() => console.posts().at(-1)?.body).toStrictEqual({ change: "c-9001", dryRun: false });
  });

  it("holds newer events back while the list is read", async () => {
    const page = await console.open("#/timeline");
    await page.locator(".event").nth(5).hover();
    const [newest] = timeline.events.slice(2);
    if (!newest) throw new Error("There is no event");
    console.server.answers.set("/api/timeline", withNewer({ ...newest, id: "e-new" }));
    console.server.emit("calls");
    await page.getByRole("button", { name: "1 new event" }).waitFor();
    expect(await page.locator('[data-row="e-new"]').count()).toBe(0);
    await page.getByRole("button", { name: "1 new event" }).click();
    await page.locator('[data-row="e-new"]').waitFor();
  });
});

describe("a question", () => {
  it("is answered on the timeline only after its effect was in view", async () => {
    const page = await console.open("#/timeline");
    await page.locator(".event.wait").first().waitFor();
    await page.keyboard.press("a");
    await page.locator(".inspector .eyebrow.wait").waitFor();
    await page.keyboard.press("a");
    expect(console.posts()).toStrictEqual([]);
    await look(page);
    await page.keyboard.press("a");
    await expect.poll(console.posts).toStrictEqual([{ path: "/api/waiting/q-2", body: { decision: "once" } }]);
  });

  it("is approved for the session, and the next one is shown", async () => {
    const page = await console.open("#/waiting");
    await page.locator(".on-waiting .title").waitFor();
    await look(page);
    await page.keyboard.press("s");
    await expect.poll(() => hash(page)).toBe("#/waiting/q-1");
    expect(console.posts()).toStrictEqual([{ path: "/api/waiting/q-2", body: { decision: "session" } }]);
  });

  it("is denied with a reason, and keys are only letters while it is typed", async () => {
    const page = await console.open("#/waiting/q-2");
    await page.locator(".on-waiting .title").waitFor();
    await page.keyboard.press("d");
    await page.getByRole("textbox").fill("use a draft");
    await page.keyboard.press("Enter");
    await expect
      .poll(console.posts)
      .toStrictEqual([{ path: "/api/waiting/q-2", body: { decision: "deny", reason: "use a draft" } }]);
  });

  it("that cannot be taken back needs another key and one more yes", async () => {
    const page = await console.open("#/waiting/q-1");
    await page.getByText("This cannot be taken back.").waitFor();
    await look(page);
    await page.keyboard.press("a");
    await page.keyboard.press("s");
    await page.keyboard.press("A");
    const dialog = page.getByRole("dialog");
    expect(console.posts()).toStrictEqual([]);
    await dialog.getByRole("button", { name: "Delete for good" }).click();
    await expect.poll(console.posts).toStrictEqual([{ path: "/api/waiting/q-1", body: { decision: "once" } }]);
  });

  it("greys out when the files have moved on", async () => {
    const page = await console.open("#/waiting/q-2");
    await page.getByText("Unchanged since it was asked").waitFor();
    const [first, ...rest] = waiting.questions;
    console.server.answers.set("/api/waiting", { questions: [{ ...first, current: false }, ...rest] });
    console.server.emit("waiting");
    await page.locator(".answer-bar").getByText("Changed since it was asked", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Approve once" }).isDisabled()).toBe(true);
    await look(page);
    await page.keyboard.press("a");
    expect(console.posts()).toStrictEqual([]);
  });

  it("says why an answer was refused, where the answer was given", async () => {
    const page = await console.open("#/waiting/q-2");
    console.server.refusals.set("/api/waiting/q-2", "The files changed meanwhile");
    await page.getByRole("button", { name: "Approve once" }).click();
    await expect.poll(() => page.locator(".answer-bar .callout").innerText()).toContain("The files changed meanwhile");
  });

  it("is counted in the title of the tab", async () => {
    const page = await console.open("#/health");
    await expect.poll(() => page.title()).toBe("(3) Holdfast");
    console.server.answers.set("/api/overview", { ...overview, waiting: 0 });
    console.server.emit("waiting");
    await expect.poll(() => page.title()).toBe("Holdfast");
  });

  it("comes first on a phone, with thumb-wide buttons", async () => {
    const page = await console.open("#/timeline", { viewport: PHONE });
    const card = page.getByRole("region", { name: "Waiting for you" });
    const button = card.getByRole("button", { name: "Approve once" });
    const box = await button.boundingBox();
    expect([(box?.height ?? 0) >= 44, (box?.width ?? 0) >= 160, (box?.y ?? 999) < 600]).toStrictEqual([
      true,
      true,
      true,
    ]);
    await button.click();
    await expect.poll(console.posts).toStrictEqual([{ path: "/api/waiting/q-2", body: { decision: "once" } }]);
  });
});

describe("the history", () => {
  it("compares changes that a person picks, by a key or a click; the address says which", async () => {
    const page = await console.open("#/history");
    const picks = page.getByRole("checkbox", { checked: true });
    await page.locator(".item.selected").waitFor();
    await page.keyboard.press("m");
    await expect.poll(() => picks.count()).toBe(1);
    await page.keyboard.press("j");
    await page.keyboard.press("m");
    await expect.poll(() => hash(page)).toBe("#/change/c-81f2%2Cc-81e7");
    await page.getByRole("heading", { name: "2 changes as one" }).waitFor();
    const asked = (path: string): boolean => console.server.requests.some((request) => request.path === path);
    await expect.poll(() => asked("/api/net?changes=c-81f2%2Cc-81e7")).toBe(true);
    await page.getByRole("checkbox", { name: "Compare c-80d7" }).check();
    await page.getByRole("heading", { name: "3 changes as one" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "3 changes as one" }).waitFor();
    expect(await picks.count()).toBe(3);
    await page.keyboard.press("Escape");
    await expect.poll(() => picks.count()).toBe(0);
    await page.locator(".detail h2.title", { hasText: "model.ts" }).waitFor();
  });

  it("previews an undo that conflicts, and undoes what is left ticked", async () => {
    const page = await console.open("#/change/c-81f2");
    await page.locator(".diffbox").first().waitFor();
    await page.keyboard.press("u");
    const preview = page.getByRole("region", { name: "Undo preview" });
    expect(await preview.innerText()).toContain("Your later edit of line 40 stays");
    expect(await preview.innerText()).toContain("Line 7 was changed again by codex at 14:27");
    expect(console.posts()).toHaveLength(1);
    await page.keyboard.press("Escape");
    await preview.waitFor({ state: "detached" });
    await page.keyboard.press("u");
    await preview.waitFor();
    await page.keyboard.press("j");
    await preview.waitFor({ state: "detached" });
    await page.keyboard.press("k");
    await page.waitForURL(/c-81f2$/);
    await page.locator(".diffbox").first().waitFor();
    expect(await preview.count()).toBe(0);
    await page.keyboard.press("u");
    await preview.getByRole("button", { name: "Undo 1 of 2 files" }).click();
    await expect
      .poll(() => console.posts().at(-1)?.body)
      .toStrictEqual({
        change: "c-81f2",
        path: "src/wharfs/allocate.ts",
        dryRun: false,
      });
  });

  it("shows a diff on two sides, and a long one in parts", async () => {
    const page = await console.open("#/change/c-81f2");
    await page.locator(".diff-scroll.unified").first().waitFor();
    await page.keyboard.press("v");
    expect(await page.locator(".diff-scroll.split").count()).toBe(2);
    expect(await page.locator(".diff-scroll.unified").count()).toBe(0);
    await page.keyboard.press("v");
    await page.evaluate('location.hash = "#/change/c-81e7"');
    await page.getByRole("button", { name: "Show 400 more lines" }).click();
    await expect.poll(() => page.locator(".diff tr").count()).toBe(800);
  });

  it("undoes one file", async () => {
    const page = await console.open("#/change/c-81f2");
    await page.getByRole("button", { name: "Undo this file" }).last().click();
    await toast(page).waitFor();
    expect(console.posts().at(-1)?.body).toStrictEqual({
      change: "c-81f2",
      path: "src/rates/season.ts",
      dryRun: false,
    });
  });

  it("says why a change stays", async () => {
    const page = await console.open("#/change/c-80a0");
    await page.getByText("The contents before it are no longer kept").waitFor();
    expect(await page.getByRole("button", { name: "Undo", exact: true }).isDisabled()).toBe(true);
  });

  it("says that a change is not there", async () => {
    const page = await console.open("#/change/c-gone");
    await expect.poll(() => page.locator(".detail .callout").innerText()).toBe("Cannot find it. Look at the list");
  });
});

describe("the other screens", () => {
  it("files: closes a directory, undoes a session with a preview, saves it", async () => {
    const page = await console.open("#/files");
    await page.locator(".node").first().waitFor();
    const before = await page.locator(".node").count();
    await page.getByRole("button", { name: "Close" }).last().click();
    await expect.poll(() => page.locator(".node").count()).toBe(before - 1);
    await page.keyboard.press("U");
    await page.getByRole("region", { name: "Undo preview" }).waitFor();
    expect(console.posts().at(-1)?.body).toStrictEqual({ session: "3f2a77c1", dryRun: true });
    await page.keyboard.press("Escape");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as Patch" }).click();
    expect((await download).suggestedFilename()).toBe("holdfast-3f2a77c1.patch");
  });

  it("trash: restores with a key, and asks for a path where one is taken", async () => {
    const page = await console.open("#/trash/t-2");
    await page.locator("tr.selected").waitFor();
    await page.keyboard.press("r");
    await expect.poll(() => console.posts()).toStrictEqual([{ path: "/api/trash/t-2/restore", body: {} }]);
    await page.getByRole("button", { name: "Restore as…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
    await expect
      .poll(() => console.posts().at(-1))
      .toStrictEqual({
        path: "/api/trash/t-3/restore",
        body: { to: "src/rates/table.restored.csv" },
      });
  });

  it("jobs: shows output without its colours, stops, and applies what waits", async () => {
    const page = await console.open("#/jobs");
    await expect.poll(() => page.locator(".term").innerText()).toContain("✓ test/model.test.ts (14 tests)");
    await page.keyboard.press("x");
    await expect.poll(console.posts).toStrictEqual([{ path: "/api/jobs/7/stop", body: {} }]);
    await page.evaluate('location.hash = "#/jobs/4"');
    await page.getByRole("button", { name: "Apply" }).click();
    await expect.poll(() => console.posts().at(-1)?.path).toBe("/api/jobs/4/apply");
  });

  it("rules: explains a path and revokes a lasting answer", async () => {
    const page = await console.open("#/rules");
    await page.getByRole("textbox", { name: "Path or command" }).fill("src/rates/secret.env");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator("p.verdict").last().innerText()).toContain("keys are set by people");
    const asked = console.server.requests.find(({ path }) => path.startsWith("/api/explain"));
    expect(asked?.path).toBe("/api/explain?act=write&subject=src%2Frates%2Fsecret.env");
    await page.getByRole("button", { name: "Revoke" }).first().click();
    await expect.poll(console.posts).toStrictEqual([{ path: "/api/grants/g-1/revoke", body: {} }]);
  });

  it("all: digits lead to screens, ? lists the keys, c changes the colours, a session limits lists", async () => {
    const page = await console.open("#/timeline");
    for (const [index, screen] of SCREENS.entries()) {
      await page.keyboard.press(String(index + 1));
      await page.locator(`main .on-${screen}`).waitFor();
    }
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("c");
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
    await page.keyboard.press("1");
    await page.getByRole("button", { name: /codex/ }).click();
    await expect
      .poll(() => console.server.requests.at(-1)?.path ?? "")
      .toMatch(/^\/api\/(timeline|changes|net)\?.*session=91bc04d2/);
  });

  it("a phone: a list, then what is chosen, then back", async () => {
    const page = await console.open("#/history", { viewport: PHONE });
    await page.getByRole("link", { name: /allocate.ts and 1 more/ }).click();
    await page.locator("main .diff").first().waitFor();
    await page.locator(".backlink").click();
    await expect.poll(() => hash(page)).toBe("#/history");
    await page.getByRole("navigation", { name: "Tabs" }).getByRole("link", { name: "More" }).click();
    await page.getByRole("link", { name: "Rules" }).click();
    await page.locator("main .on-rules").waitFor();
  });
});

describe("without the server", () => {
  it("a line says so, and the page is live again once it is back", async () => {
    const page = await console.open("#/timeline");
    await page.locator(".event").first().waitFor();
    console.server.setRefusing(true);
    await expect.poll(() => page.locator(".banner").innerText()).toContain("Not live since 14:32:10.");
    console.server.setRefusing(false);
    await page.getByRole("button", { name: "Try now" }).click();
    await page.getByText("Not live since").waitFor({ state: "detached" });
  });

  it("says how to log in again once the login has ended", async () => {
    console.server.setSignedOut();
    const page = await console.open("#/timeline");
    await expect.poll(() => page.locator("main").innerText()).toContain("You are signed out");
  });
});
