import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import type { Layer } from "../../src/config/layer.ts";
import type { RuleSource } from "../../src/runtime/rules/live-policy.ts";
import { appOn, callerOf, callerOn, scratch } from "../runtime/scratch.ts";
import { under } from "../runtime/rules/under-rules.ts";
import { heard, LONG_MS, news, watched } from "./watched.ts";

describe("what a watch survives", () => {
  it("its directory goes and comes back, and so do those above", async () => {
    const { root, call } = await watched({ "a/b/c/file": "1" }, "a/b/c");
    rmSync(join(root, "a"), { recursive: true });
    expect(await news(call, 2)).toEqual(["delete a/b/c/file", "delete a/b/c"]);
    mkdirSync(join(root, "a/b/c"), { recursive: true });
    writeFileSync(join(root, "a/b/c/other"), "2");
    expect(await news(call, 2)).toEqual(["create a/b/c", "create a/b/c/other"]);
    writeFileSync(join(root, "a/b/c/other"), "3");
    expect(await news(call, 1)).toEqual(["modify a/b/c/other"]);
  });

  it("the root goes and comes back", async () => {
    const { root, call } = await watched({ file: "1" });
    rmSync(root, { recursive: true });
    expect(await news(call, 1)).toEqual(["delete file"]);
    mkdirSync(root);
    writeFileSync(join(root, "back"), "2");
    expect(await news(call, 1)).toEqual(["create back"]);
    writeFileSync(join(root, "back"), "3");
    expect(await news(call, 1)).toEqual(["modify back"]);
  });

  it.each([
    {
      name: "a temporary file over the old one",
      save(at: string) {
        writeFileSync(`${at}.tmp`, "new");
        renameSync(`${at}.tmp`, at);
      },
      reported: ["modify file"],
    },
    {
      name: "the old one as a backup, a new one in its place",
      save(at: string) {
        renameSync(at, `${at}~`);
        writeFileSync(at, "new");
      },
      reported: ["create file~", "modify file"],
    },
    {
      name: "removed and written anew",
      save(at: string) {
        unlinkSync(at);
        writeFileSync(at, "new");
      },
      reported: ["modify file"],
    },
  ])("editors that save by rename: $name", async ({ save, reported }) => {
    const { root, call } = await watched({ file: "old" });
    await sleep(100);
    save(join(root, "file"));
    expect(await news(call, reported.length)).toEqual(reported);
  });

  it("a rename of a directory, and what happens in it afterwards", async () => {
    const { root, call } = await watched({ "old/deep/file": "1" });
    renameSync(join(root, "old"), join(root, "new"));
    writeFileSync(join(root, "new/deep/file"), "2");
    expect(await news(call, 2)).toEqual(["rename old new", "modify new/deep/file"]);
    writeFileSync(join(root, "new/deep/more"), "3");
    expect(await news(call, 1)).toEqual(["create new/deep/more"]);
  });
});

describe("what a watch never tells", () => {
  it("what lies behind a link, also one that took the place of a directory", async () => {
    const { root, call } = await watched({ "dir/file": "1" });
    const outside = join(dirname(root), "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "secret"), "1");
    rmSync(join(root, "dir"), { recursive: true });
    symlinkSync(outside, join(root, "dir"));
    expect(await news(call, 3)).toEqual(["delete dir/file", "delete dir", "create dir"]);
    writeFileSync(join(outside, "secret"), "2");
    writeFileSync(join(outside, "another"), "2");
    expect(await news(call, 0)).toEqual([]);
  });

  it("what happens in a directory that moved out of the root", async () => {
    const { root, call } = await watched({ "dir/file": "1" });
    const outside = join(dirname(root), "outside");
    renameSync(join(root, "dir"), outside);
    writeFileSync(join(outside, "another"), "2");
    expect(await news(call, 2)).toEqual(["delete dir/file", "delete dir"]);
    writeFileSync(join(outside, "file"), "3");
    expect(await news(call, 0)).toEqual([]);
  });

  it("our own state and unfinished work, even inside the root", async () => {
    const root = scratch({ "a.txt": "1", "d/b.txt": "2" });
    const call = callerOn(root, { stateDirectory: join(root, "state") });
    await call("watch", { path: "." });
    await call("write", { path: "a.txt", content: "new" });
    await call("copy", { source: "d", destination: "e" });
    await call("delete", { path: "d", recursive: true });
    await call("undo");
    expect(readdirSync(root)).toContain("state");
    const reported = await heard(call, (lines) => lines.includes("modify a.txt"));
    expect(reported.filter((line) => /state|\.holdfast/.test(line))).toEqual([]);
    expect(reported).toContain("modify a.txt");
    writeFileSync(join(root, ".holdfast-store-like"), "");
    mkdirSync(join(root, ".holdfast-store"));
    writeFileSync(join(root, ".holdfast-store/x"), "");
    expect(await news(call, 0)).toEqual([]);
  });

  it("what cannot be opened is no reason to fail", async () => {
    const root = scratch({ "closed/file": "1", file: "1" });
    chmodSync(join(root, "closed"), 0);
    const call = callerOn(root);
    expect((await call("watch", { path: "." })).code).toBe("ok");
    writeFileSync(join(root, "file"), "2");
    expect(await news(call, 1)).toEqual(["modify file"]);
    chmodSync(join(root, "closed"), 0o755);
    expect(await news(call, 0)).toEqual([]);
  });
});

function change(root: string): void {
  writeFileSync(join(root, "private/diary.txt"), "2");
  writeFileSync(join(root, "private/new.txt"), "2");
  writeFileSync(join(root, "free.txt"), "2");
}

describe("a watch under rules", () => {
  const tree = { "free.txt": "1", "private/diary.txt": "1" };

  it.each([
    { decide: "autonomous", reported: ["create private/new.txt", "modify free.txt", "modify private/diary.txt"] },
    { decide: "approval", reported: ["modify free.txt"] },
    { decide: "blocked", reported: ["modify free.txt"] },
  ] as const)("what is $decide, in a directory that is watched as a whole", async ({ decide, reported }) => {
    const { root, questions, caller } = under([{ act: "read", path: "private", decide }], "denied", tree);
    expect((await caller("watch", { path: "." })).code).toBe("ok");
    change(root);
    expect((await news(caller, reported.length)).toSorted()).toEqual(reported);
    expect(questions).toEqual([]);
  });

  it("hides what was moved to where nothing may be seen, and what comes from there is new", async () => {
    const { root, caller } = under([{ act: "read", path: "private", decide: "blocked" }], "denied", tree);
    await caller("watch", { path: "." });
    renameSync(join(root, "free.txt"), join(root, "private/free.txt"));
    renameSync(join(root, "private/diary.txt"), join(root, "diary.txt"));
    expect((await news(caller, 2)).toSorted()).toEqual(["create diary.txt", "delete free.txt"]);
  });

  it("applies rules that are written while it watches", async () => {
    const root = scratch(tree);
    const rules = [{ act: "read" as const, path: "private", decide: "blocked" as const, origin: "test" }];
    let layers: readonly Layer[] = [];
    const source = (): RuleSource => ({ layers, reload: async () => source() });
    const caller = callerOf(appOn(root, { ruleSource: source() }));
    await caller("watch", { path: "." });
    change(root);
    expect((await news(caller, 3)).toSorted()).toEqual([
      "create private/new.txt",
      "modify free.txt",
      "modify private/diary.txt",
    ]);
    layers = [{ name: "user", rules }];
    const isDenied = async () => (await caller("stat", { path: "private" }, { repeats: true })).code === "denied";
    await expect.poll(isDenied, { timeout: 10_000 }).toBe(true);
    rmSync(join(root, "private/new.txt"));
    change(root);
    expect((await news(caller, 1)).toSorted()).toEqual(["modify free.txt"]);
  });

  it.each([
    { decide: "approval", answer: "denied" },
    { decide: "blocked", answer: "allowed" },
  ] as const)("refuses to watch what is $decide itself, and $answer", async ({ decide, answer }) => {
    const { root, caller } = under([{ act: "read", path: "private", decide }], answer, tree);
    expect((await caller("watch", { path: "private" })).code).toBe("denied");
    change(root);
    expect((await caller("watch", { watch_id: "w1" })).code).toBe("invalid_input");
  });

  it("watches what needs a yes itself, and has it", async () => {
    const { root, caller } = under([{ act: "read", path: "private", decide: "approval" }], "allowed", tree);
    expect((await caller("watch", { path: "private" })).code).toBe("ok");
    change(root);
    expect((await news(caller, 2)).toSorted()).toEqual(["create private/new.txt", "modify private/diary.txt"]);
  });
});

describe("the life of a watch", () => {
  it("a call waits for the first event, and no longer", async () => {
    const { root, call } = await watched({ file: "1" });
    const started = Date.now();
    const waiting = call("watch", { watch_id: "w1", wait_ms: LONG_MS });
    await sleep(100);
    writeFileSync(join(root, "file"), "2");
    expect((await waiting).text).toBe("modify file");
    expect(Date.now() - started).toBeLessThan(LONG_MS);
  });

  it("a call that waits can be cancelled", async () => {
    const { call } = await watched({ file: "1" });
    const signal = { aborted: false };
    const started = Date.now();
    const waiting = call("watch", { watch_id: "w1", wait_ms: LONG_MS }, { signal });
    signal.aborted = true;
    expect((await waiting).code).toBe("cancelled");
    expect(Date.now() - started).toBeLessThan(LONG_MS);
  });

  it("a session has so many watches, and the fault says which to end", async () => {
    const root = scratch({ file: "1" });
    const call = callerOn(root);
    const ids = Array.from({ length: LIMITS.watches }, (_, n) => `w${n + 1}`);
    for (const id of ids) expect((await call("watch", { path: "file" }, { repeats: true })).data["watch_id"]).toBe(id);
    const refused = await call("watch", { path: "file" });
    expect(refused).toMatchObject({ code: "too_many_watches", data: { error: { watches: ids } } });
    expect(refused.text).toMatch(/End a watch with cancel/);
    await call("watch", { watch_id: "w7", cancel: true });
    expect((await call("watch", { path: "file" })).code).toBe("ok");
  });

  it("ends with the session", async () => {
    const root = scratch({ file: "1" });
    const app = appOn(root);
    const call = callerOf(app);
    await call("watch", { path: "." });
    const waiting = call("watch", { watch_id: "w1", wait_ms: LONG_MS });
    await sleep(50);
    await app.close();
    expect((await waiting).data).toMatchObject({ events: [] });
    expect((await call("watch", { watch_id: "w1" })).code).toBe("invalid_input");
  });

  it("is only of its own session", async () => {
    const { root } = await watched({ file: "1" });
    expect((await callerOn(root)("watch", { watch_id: "w1" })).code).toBe("invalid_input");
  });

  it("works where nothing may be changed", async () => {
    const root = scratch({ file: "1" });
    const call = callerOn(root, { readOnly: true });
    expect((await call("watch", { path: "." })).code).toBe("ok");
    writeFileSync(join(root, "file"), "2");
    expect(await news(call, 1)).toEqual(["modify file"]);
  });

  it("names the change, whichever process made it, and only that one", async () => {
    const { root, call } = await watched({ file: "1" });
    const { data } = await callerOn(root)("write", { path: "file", content: "by another" });
    expect((await call("watch", { watch_id: "w1" })).data["events"]).toEqual([
      { type: "modify", path: "file", change_id: data["change_id"] },
    ]);
    writeFileSync(join(root, "file"), "by nobody we know");
    expect((await call("watch", { watch_id: "w1" })).data["events"]).toEqual([{ type: "modify", path: "file" }]);
  });
});
