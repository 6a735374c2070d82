import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { saying } from "./bin.ts";
import { changeBy, jsonOf, TIME, TREE, workplace } from "./workplace.ts";
import { needs } from "../programs.ts";

const LATIN = Buffer.from("Gr\u00fc\u00dfe aus K\u00f6ln\n", "latin1");
const BINARY = Buffer.from([0, 1, 2, 255, 0, 3]);

describe("diff", () => {
  it.each([
    {
      name: "an edit",
      calls: [["edit", { path: "a.txt", oldText: "two", newText: "2" }]],
      out: "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
    },
    {
      name: "a new file",
      calls: [["write", { path: "n/new.txt", content: "hello\n" }]],
      out: "mkdir n\n--- /dev/null\n+++ b/n/new.txt\n@@ -0,0 +1 @@\n+hello\n",
    },
    {
      name: "a new file that was moved and replaced since",
      calls: [
        ["write", { path: "n.txt", content: "hello\n" }],
        ["move", { source: "n.txt", destination: "m.txt" }],
        ["write", { path: "m.txt", content: "else\n" }],
      ],
      out: "--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1 @@\n+hello\n",
    },
    {
      name: "an append with another one since",
      calls: [
        ["write", { path: "a.txt", content: "four\n", append: true }],
        ["write", { path: "a.txt", content: "five\n", append: true }],
      ],
      out: "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,4 @@\n one\n two\n three\n+four\n",
    },
    {
      name: "a deletion",
      calls: [["delete", { path: "d/x.txt" }]],
      out: "--- a/d/x.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
    },
    {
      name: "a deletion that was taken back",
      calls: [
        ["delete", { path: "d/x.txt" }],
        ["restore", { path: "d/x.txt" }],
      ],
      out: "--- a/d/x.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
    },
    { name: "a directory", calls: [["delete", { path: "d", recursive: true }]], out: "delete d: a directory\n" },
    {
      name: "a move",
      calls: [["move", { source: "a.txt", destination: "b.txt" }]],
      out: "diff --git a/a.txt b/b.txt\nrename from a.txt\nrename to b.txt\n",
    },
    {
      name: "a move over something",
      calls: [["move", { source: "a.txt", destination: "d/x.txt", overwrite: true }]],
      out: /^move a\.txt → d\/x\.txt: it replaced what was there\ndiff --git/,
    },
    {
      name: "Latin-1",
      calls: [["edit", { path: "latin.txt", oldText: "K\u00f6ln", newText: "Z\u00fcrich" }]],
      out: /\n-Gr\u00fc\u00dfe aus K\u00f6ln\n\+Gr\u00fc\u00dfe aus Z\u00fcrich\n$/,
    },
    {
      name: "bytes",
      calls: [["write", { path: "b.bin", content: "AAEC", encoding: "base64" }]],
      out: "replace b.bin: binary, 6 bytes before, 3 after\n",
    },
  ] as const)("of $name", async ({ calls, out }) => {
    const { agent, holdfast } = workplace({ ...TREE, "latin.txt": LATIN, "b.bin": BINARY });
    const ids: string[] = [];
    for (const [tool, input] of calls) ids.push(await changeBy(agent, tool, input));
    const ran = await holdfast(["diff", String(ids[0])]);
    expect([ran.code, ran.err]).toEqual([0, ""]);
    const [head = "", ...rest] = ran.out.split("\n");
    expect(head).toMatch(new RegExp(`^change ${ids[0]}  ${TIME}  [0-9a-f]{8}  ${calls[0][0]}$`));
    expect(rest.join("\n")).toEqual(saying(out));
  });

  it("says when the content is gone", async () => {
    const { agent, holdfast } = workplace();
    const id = await changeBy(agent, "delete", { path: "a.txt" });
    await holdfast(["trash", "purge", "a.txt"]);
    const { code, out } = await holdfast(["diff", id]);
    expect([code, out.split("\n").slice(1)]).toEqual([0, ["delete a.txt: the backup of its content is gone", ""]]);
  });

  it("is a patch that git takes back", async () => {
    needs("git");
    const { root, agent, holdfast, textOf } = workplace();
    const id = await changeBy(agent, "edit", { path: "a.txt", oldText: "two", newText: "2" });
    const { out } = await holdfast(["diff", id]);
    execFileSync("git", ["apply", "-R"], { cwd: root, input: out });
    expect(textOf("a.txt")).toBe("one\ntwo\nthree\n");
  });

  it("as JSON", async () => {
    const { agent, holdfast } = workplace();
    const id = await changeBy(agent, "mkdir", { path: "new" });
    const { out } = await holdfast(["diff", id, "--json"]);
    expect(jsonOf(out)).toEqual({
      change_id: id,
      time: expect.stringMatching(/Z$/),
      session: expect.any(String),
      tool: "mkdir",
      files: [{ path: "new", action: "mkdir" }],
    });
  });

  it.each(["nosuchchange", "../changes", ""])("of %j: exit code 1", async (id) => {
    const { holdfast } = workplace();
    const { code, err } = await holdfast(["diff", id]);
    expect([code, err]).toEqual([
      1,
      `holdfast: Cannot show ${JSON.stringify(id)}: there is no such change; holdfast history lists them\n`,
    ]);
  });
});
