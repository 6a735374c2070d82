import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeZip } from "../../content/archives/make-zip.ts";
import { appOn, callerOf, callerOn, scratch } from "../../runtime/scratch.ts";
import type { RuleEntry } from "../../../src/config/rule.ts";

const ZIP = makeZip([
  { name: "a.txt", content: "plain" },
  { name: "private/diary.txt", content: "dear diary" },
]);

const under = (root: string, rule: RuleEntry) =>
  callerOf(
    appOn(root, {
      profile: "coding",
      ruleSource: { layers: [{ name: "user", rules: [{ ...rule, origin: "test" }] }] },
    }),
  );

describe("extract", () => {
  it("leaves out what may not be read, without its name", async () => {
    const root = scratch({ "data.zip": ZIP });
    const caller = under(root, { act: "read", path: "private", decide: "blocked" });
    expect((await caller("extract", { archive: "data.zip", into: "out" })).text).toBe(
      "Extracted 1 file, 5 bytes, into out\n  a.txt\nNote: skipped 1: entries that may not be read",
    );
    expect(readdirSync(join(root, "out"))).toEqual(["a.txt"]);
  });

  it("makes nothing where one file may not be made", async () => {
    const root = scratch({ "data.zip": ZIP });
    const caller = under(root, { act: "create", path: "out/private", decide: "blocked" });
    expect((await caller("extract", { archive: "data.zip", into: "out" })).code).toBe("denied");
    expect(existsSync(join(root, "out"))).toBe(false);
  });

  it("refuses many files that are small but grow a thousandfold together", async () => {
    const zeros = { content: Buffer.alloc(40 * 1024 ** 2) };
    const root = scratch({
      "data.zip": makeZip([
        { name: "a", ...zeros },
        { name: "b", ...zeros },
      ]),
    });
    const caller = callerOn(root, { profile: "coding" });
    expect((await caller("extract", { archive: "data.zip", into: "out" })).code).toBe("too_large");
    expect((await caller("extract", { archive: "data.zip", into: "out", members: ["b"] })).code).toBe("ok");
    expect(readdirSync(join(root, "out"))).toEqual(["b"]);
  });

  it("writes nothing through a link that is there", async () => {
    const root = scratch({ "data.zip": ZIP, "out/private": { link: "../other" }, other: null });
    const caller = callerOn(root, { profile: "coding" });
    expect((await caller("extract", { archive: "data.zip", into: "out", overwrite: true })).code).toBe("exists");
    expect(readdirSync(join(root, "other"))).toEqual([]);
  });
});

describe("compress", () => {
  it("leaves out files with secrets: nothing could redact them in the archive", async () => {
    const root = scratch({ ".env": "DB_PASSWORD=hunter2-and-more-of-it\n", "a.txt": "plain" });
    const caller = callerOn(root, { profile: "coding" });
    const { text } = await caller("compress", { paths: ["."], to: "data.tar" });
    expect(text).toContain("Note: skipped .env: it holds secrets");
    expect(readFileSync(join(root, "data.tar")).includes("hunter2")).toBe(false);
  });

  it("leaves out what may not be read", async () => {
    const root = scratch({ "private/diary.txt": "dear diary", "a.txt": "plain" });
    chmodSync(join(root, "a.txt"), 0o640);
    const caller = under(root, { act: "read", path: "private", decide: "blocked" });
    expect((await caller("compress", { paths: ["."], to: "data.tar" })).text).toBe(
      "Packed 1 file into data.tar, 2048 bytes\n  a.txt\nNote: skipped 1: entries that may not be read",
    );
    expect((await caller("stat", { path: "data.tar!/a.txt" })).data).toMatchObject({ permissions: "640" });
  });
});

it("the default profile has neither", async () => {
  const caller = callerOn(scratch({ "data.zip": ZIP }));
  expect((await caller("extract", { archive: "data.zip", into: "out" })).isError).toBe(true);
  expect((await caller("compress", { paths: ["."], to: "a.zip" })).isError).toBe(true);
});
