import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeZip } from "../../content/archives/make-zip.ts";
import { callerOn, scratch } from "../scratch.ts";
import { under } from "./under-rules.ts";

const ZIP = makeZip([
  { name: "a.txt", content: "plain words" },
  { name: ".env", content: "DB_PASSWORD=hunter2-and-more-of-it\n" },
  { name: "private/diary.txt", content: "dear diary" },
]);
const TREE = {
  "data.zip": ZIP,
  "kept/old.zip": ZIP,
  "to-old.zip": { link: "kept/old.zip" },
  "broken.zip": "PK\x03\x04",
};

describe("rules inside an archive", () => {
  it.each([
    { rule: ".env", path: "data.zip!/.env", gives: "denied" },
    { rule: ".env", path: "data.zip!/a.txt", gives: "ok" },
    { rule: "private", path: "data.zip!/private/diary.txt", gives: "denied" },
    { rule: "other/private", path: "kept/old.zip!/private/diary.txt", gives: "ok" },
    { rule: "kept/private", path: "kept/old.zip!/private/diary.txt", gives: "denied" },
    { rule: "kept/old.zip", path: "kept/old.zip!/a.txt", gives: "denied" },
    { rule: "kept/old.zip", path: "to-old.zip!/a.txt", gives: "denied" },
    { rule: "kept", path: "to-old.zip!/none.txt", gives: "denied" },
    { rule: "data.zip!", path: "data.zip!/a.txt", gives: "denied" },
    { rule: "broken.zip", path: "broken.zip!/a.txt", gives: "denied" },
  ])("$rule blocked: $path is $gives", async ({ rule, path, gives }) => {
    const { caller } = under([{ act: "read", path: rule, decide: "blocked" }], "allowed", TREE);
    expect((await caller("read", { path })).code).toBe(gives);
  });

  it("hide entries from listings and searches", async () => {
    const { caller } = under([{ act: "read", path: [".env", "private"], decide: "blocked" }], "allowed", TREE);
    expect((await caller("ls", { path: "data.zip!/" })).text).toBe("a.txt 11");
    expect((await caller("grep", { path: "data.zip!/", pattern: "dear", include_hidden: true })).text).not.toContain(
      "diary",
    );
  });

  it("ask for an approval that names the inner path", async () => {
    const { caller, questions, root } = under([{ act: "read", path: "private", decide: "approval" }], "allowed", TREE);
    expect((await caller("read", { path: "data.zip!/private/diary.txt" })).text).toBe("dear diary");
    expect(JSON.stringify(questions)).toContain(join(root, "data.zip!/private/diary.txt"));
  });
});

it("secrets inside an archive are placeholders", async () => {
  const caller = callerOn(scratch(TREE));
  const { text } = await caller("read", { path: "data.zip!/.env" });
  expect(text).toContain("DB_PASSWORD=‹secret:");
  expect(text).not.toContain("hunter2");
});

it("a relative path means the root that has the archive", async () => {
  const [first, second] = [scratch({ "b.txt": "b" }), scratch({ "data.zip": ZIP })];
  const caller = callerOn(first, { roots: [first, second] });
  expect((await caller("read", { path: "data.zip!/a.txt" })).text).toBe("plain words");
});

it("a changed archive is listed anew", async () => {
  const root = scratch(TREE);
  const caller = callerOn(root);
  expect((await caller("ls", { path: "data.zip!/" })).text).toContain("a.txt");
  await caller("copy", { source: "broken.zip", destination: "data.zip", overwrite: true });
  expect((await caller("ls", { path: "data.zip!/" })).code).toBe("io");
});

it("nothing inside can be watched", async () => {
  const caller = callerOn(scratch(TREE));
  expect((await caller("watch", { path: "data.zip!/" })).code).toBe("read_only");
});
