import { linkSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { versionOfBytes } from "../../src/base/version.ts";
import { appOn, type Caller, callerOf, callerOn, scratch, type CallResult } from "../runtime/scratch.ts";
import { BOTH, firstLine, NINE, OURS, scene, THEIRS } from "./seen-scene.ts";

describe("a whole write", () => {
  it("replaces a file that was never read, and says so", async () => {
    const { write, text } = scene();
    const answer = await write({});
    expect(firstLine(answer)).toBe("Replaced a file this session has not read: f.txt: 44 bytes");
    expect(answer.data["replaced_unseen"]).toBe(true);
    expect(text("f.txt")).toBe(OURS);
  });

  it.each(["grep", "stat", "ls"])("does not take %s for reading", async (tool) => {
    const { caller, write } = scene();
    await caller(tool, tool === "grep" ? { pattern: "two" } : { path: tool === "ls" ? "." : "f.txt" });
    expect((await write({})).data["replaced_unseen"]).toBe(true);
  });

  it("replaces what it has read, also when only the times are others", async () => {
    const { root, caller, write } = scene();
    await caller("read", { path: "f.txt", limit: 1 });
    utimesSync(join(root, "f.txt"), 1, 1);
    const answer = await write({});
    expect(firstLine(answer)).toBe("Replaced f.txt: 44 bytes");
    expect(answer.data["replaced_unseen"]).toBeUndefined();
  });

  it("is merged with lines that another program changed since a page was read, and shows them in both halves", async () => {
    const { caller, person, write, text } = scene();
    await caller("read", { path: "f.txt", offset: 7, limit: 1 });
    person("f.txt", THEIRS);
    const answer = await write({});
    expect(answer.isError).toBe(false);
    expect(text("f.txt")).toBe(BOTH);
    for (const half of [answer.text, JSON.stringify(answer.data)]) expect(half).toMatch(/-two(?:\n|\\n)\+zwei/);
    expect(answer.data["replaced_unseen"]).toBeUndefined();
    expect((await write({ content: BOTH.replace("nine", "neun") })).data["warnings"]).toBeUndefined();
    expect(text("f.txt")).toBe(BOTH.replace("nine", "neun"));
  });

  it("is merged also where another program put a new file in the place", async () => {
    const { root, caller, write, person, text } = scene();
    await caller("read", { path: "f.txt" });
    person("new", THEIRS);
    renameSync(join(root, "new"), join(root, "f.txt"));
    expect((await write({})).isError).toBe(false);
    expect(text("f.txt")).toBe(BOTH);
  });

  it("refuses a clash, and shows what was changed and the way on", async () => {
    const { caller, person, write, text } = scene();
    await caller("read", { path: "f.txt" });
    person("f.txt", NINE.replace("eight", "VIII"));
    for (const dry_run of [true, false]) {
      const answer = await write({ dry_run });
      expect(answer.code).toBe("stale");
      expect(answer.text).toContain("-eight\n+VIII\n");
      expect(answer.text).toContain("Read it again, or set overwrite: true");
    }
    expect(text("f.txt")).toBe(NINE.replace("eight", "VIII"));
    await caller("read", { path: "f.txt" });
    expect((await write({})).isError).toBe(false);
  });

  it("replaces all with overwrite: true, tells it, and undo brings it back", async () => {
    const { caller, person, write, text } = scene();
    await caller("read", { path: "f.txt" });
    person("f.txt", THEIRS);
    const answer = await write({ overwrite: true });
    expect(firstLine(answer)).toBe("Replaced a file that has changed since this session read it: f.txt: 44 bytes");
    expect(text("f.txt")).toBe(OURS);
    expect((await caller("history")).text).toContain("(replaced unseen)");
    await caller("undo");
    expect(text("f.txt")).toBe(THEIRS);
  });

  it("only creates with overwrite: false", async () => {
    const { write } = scene();
    expect((await write({ overwrite: false })).code).toBe("exists");
    expect((await write({ overwrite: false, path: "g.txt" })).data["created"]).toBe(true);
  });

  it("makes a file again that was deleted since, and says so", async () => {
    const { root, caller, write, text } = scene();
    await caller("read", { path: "f.txt" });
    rmSync(join(root, "f.txt"));
    const answer = await write({});
    expect(answer.data).toMatchObject({ created: true, warnings: ["the file was deleted since this session read it"] });
    expect(text("f.txt")).toBe(OURS);
  });

  it("says nothing of a file that the session itself deleted, and merges when it is brought back", async () => {
    const { caller, write, person, text } = scene({ "d/f.txt": NINE });
    await caller("read", { path: "d/f.txt" });
    await caller("delete", { path: "d", recursive: true });
    expect((await write({ path: "d/f.txt", dry_run: true })).data["warnings"]).toBeUndefined();
    await caller("undo");
    person("d/f.txt", THEIRS);
    expect((await write({ path: "d/f.txt" })).isError).toBe(false);
    expect(text("d/f.txt")).toBe(BOTH);
  });

  const PATCH = "*** Begin Patch\n*** Delete File: f.txt\n*** End Patch\n";
  it.each<{ name: string; calls: readonly (readonly [tool: string, input: Record<string, unknown>])[] }>([
    {
      name: "deleted, undone",
      calls: [
        ["delete", { path: "f.txt" }],
        ["undo", {}],
      ],
    },
    {
      name: "deleted, restored",
      calls: [
        ["delete", { path: "f.txt" }],
        ["restore", { path: "f.txt" }],
      ],
    },
    {
      name: "deleted by a patch, undone",
      calls: [
        ["apply_patch", { input: PATCH }],
        ["undo", {}],
      ],
    },
    {
      name: "overwritten, undone",
      calls: [
        ["write", { path: "f.txt", content: NINE, overwrite: true }],
        ["undo", {}],
      ],
    },
  ])("knows no more of what it brought back than it saw: $name", async ({ calls }) => {
    const { caller, person, write, text } = scene();
    await caller("read", { path: "f.txt" });
    person("f.txt", THEIRS);
    for (const [tool, input] of calls) expect((await caller(tool, input)).code).toBe("ok");
    expect(text("f.txt")).toBe(THEIRS);
    expect((await write({})).code).toBe("ok");
    expect(text("f.txt")).toBe(BOTH);
  });

  it("does not merge bytes", async () => {
    const bytes = Buffer.from([0, 1, 2, 10, 3, 0, 10, 4, 0]);
    const { root, caller, person, write } = scene({ "f.bin": bytes });
    await caller("read", { path: "f.bin", encoding: "base64" });
    person("f.bin", Buffer.concat([bytes, bytes]));
    const content = Buffer.from([9, ...bytes.subarray(1)]).toString("base64");
    expect((await write({ path: "f.bin", encoding: "base64", content })).code).toBe("stale");
    expect(readFileSync(join(root, "f.bin")).length).toBe(18);
  });

  it("takes a version that the caller names for more than what was seen", async () => {
    const { caller, person, write, text } = scene();
    await caller("read", { path: "f.txt" });
    person("f.txt", THEIRS);
    expect((await write({ if_match: versionOfBytes(Buffer.from(THEIRS)) })).isError).toBe(false);
    expect(text("f.txt")).toBe(OURS);
  });

  it("knows nothing of what another session read", async () => {
    const { root, write, person } = scene();
    await callerOn(root)("read", { path: "f.txt" });
    person("f.txt", THEIRS);
    expect((await write({})).data["replaced_unseen"]).toBe(true);
  });
});

describe("the session's own change", () => {
  const begin: Readonly<Record<string, (caller: Caller) => Promise<unknown>>> = {
    "a write": (caller) => caller("write", { path: "f.txt", content: NINE }),
    "an edit": (caller) => caller("edit", { path: "f.txt", oldText: "1\n", newText: NINE }),
    "an append": async (caller) => {
      await caller("write", { path: "f.txt", content: NINE.slice(0, 9) });
      await caller("write", { path: "f.txt", content: NINE.slice(9), append: true });
    },
    "an undo": async (caller) => {
      await caller("write", { path: "f.txt", content: NINE });
      await caller("write", { path: "f.txt", content: "x" });
      await caller("undo");
    },
    "a restored file": async (caller) => {
      await caller("write", { path: "old.txt", content: NINE });
      const { data } = await caller("delete", { path: "old.txt" });
      const { trash_id } = data as { trash_id?: string };
      await caller("delete", { path: "f.txt" });
      await caller(
        "restore",
        trash_id ? { trash_id, destination: "f.txt" } : { path: "old.txt", destination: "f.txt" },
      );
    },
    "a patch": (caller) =>
      caller("apply_patch", {
        input: `*** Begin Patch\n*** Update File: f.txt\n@@\n-1\n${NINE.replaceAll(/^(?=.)/gm, "+")}*** End Patch\n`,
      }),
    "a read of what another program made": async (caller) => {
      await caller("write", { path: "f.txt", content: NINE });
      await caller("read", { path: "f.txt" });
    },
  };

  it.each(Object.keys(begin))("counts as seen: %s", async (how) => {
    const { caller, person, write, text } = scene({ "f.txt": "1\n" });
    await begin[how]?.(caller);
    expect(text("f.txt")).toBe(NINE);
    person("f.txt", THEIRS);
    const answer = await write({});
    expect(answer).toMatchObject({ isError: false });
    expect(text("f.txt")).toBe(BOTH);
  });

  it.each(Object.keys(begin))("is what an edit with its version is merged with: %s", async (how) => {
    const { caller, person, text } = scene({ "f.txt": "1\n" });
    await begin[how]?.(caller);
    const version = versionOfBytes(Buffer.from(NINE));
    person("f.txt", THEIRS);
    const edit = { path: "f.txt", oldText: "eight", newText: "acht", if_match: version };
    const answer = await caller("edit", edit);
    expect(answer).toMatchObject({ isError: false });
    expect(answer.text).toContain("-two\n+zwei");
    expect(text("f.txt")).toBe(BOTH);
    expect((await caller("edit", { ...edit, oldText: "five", newText: "fünf" })).isError).toBe(false);
    expect(text("f.txt")).toBe(BOTH.replace("five", "fünf"));
  });

  it("does not make the rest of a file known that was never read", async () => {
    const { caller, person, write, text } = scene({ "f.txt": `top\n${NINE}` });
    await caller("write", { path: "f.txt", content: "ten\n", append: true });
    expect((await write({ dry_run: true })).data).toMatchObject({ replaced_unseen: true });
    person("f.txt", `top\n${OURS}ten\n`);
    const answer = await write({ content: `${THEIRS}ten\n` });
    expect(answer.data).toMatchObject({ replaced_unseen: true });
    expect(answer.text).toContain("-eight\n+acht");
    expect(text("f.txt")).toBe(`${BOTH}ten\n`);
    await caller("undo");
    expect(text("f.txt")).toBe(`top\n${OURS}ten\n`);
  });

  it("leaves lines unseen that it went around", async () => {
    const { caller, person, write, text } = scene();
    await caller("read", { path: "f.txt" });
    person("f.txt", THEIRS);
    await caller("edit", { path: "f.txt", oldText: "four", newText: "vier" });
    await caller("write", { path: "f.txt", content: "ten\n", append: true });
    const answer = await write({ content: `${OURS.replace("four", "vier")}ten\n` });
    expect(answer).toMatchObject({ isError: false });
    expect(text("f.txt")).toBe(`${BOTH.replace("four", "vier")}ten\n`);
  });

  it.each(["move", "copy"])("carries what was seen along: %s", async (tool) => {
    const { caller, person, write, text } = scene({ "d/f.txt": NINE });
    await caller("read", { path: "d/f.txt" });
    await caller(tool, { source: "d", destination: "e" });
    person("e/f.txt", THEIRS);
    expect(await write({ path: "e/f.txt" })).toMatchObject({ isError: false });
    expect(text("e/f.txt")).toBe(BOTH);
  });

  it("forgets what was at a place that something else was moved to", async () => {
    const { caller, write } = scene({ "f.txt": NINE, "g.txt": THEIRS });
    await caller("read", { path: "f.txt" });
    await caller("move", { source: "g.txt", destination: "f.txt", overwrite: true });
    expect((await write({})).data["replaced_unseen"]).toBe(true);
  });

  it("lets the last of several writes at once win", async () => {
    const { caller, write, text } = scene();
    await caller("read", { path: "f.txt" });
    const failed: CallResult[] = [];
    const chain = async (name: string): Promise<void> => {
      for (let nth = 0; nth < 25; nth++) {
        const answer = await write({ content: `${name}${nth}\n` });
        if (answer.isError) failed.push(answer);
      }
    };
    await Promise.all(["a", "b", "c", "d"].map(chain));
    expect(failed).toEqual([]);
    expect(text("f.txt")).toMatch(/^[abcd]24\n$/);
  });
});

describe("several names", () => {
  it("are one file, by a link and by a hard link", async () => {
    const { root, caller, person, write, text } = scene();
    symlinkSync("f.txt", join(root, "link"));
    linkSync(join(root, "f.txt"), join(root, "hard"));
    await caller("read", { path: "link" });
    person("f.txt", THEIRS);
    expect(await write({ path: "hard" })).toMatchObject({ isError: false });
    expect(text("hard")).toBe(BOTH);
  });
});

describe("secrets", () => {
  const ENV = "PORT=1\nA=x\nB=y\nC=z\nAPI_TOKEN=t0ps3cr3t-value\nDB_PASSWORD=hunter2\n";

  it("stay hidden in what is merged and in what is refused, and the values stay in the file", async () => {
    const { caller, person, text } = scene({ ".env": ENV });
    const { content } = (await caller("read", { path: ".env" })).data as { content: string };
    expect(content).not.toContain("t0ps3cr3t-value");
    person(".env", ENV.replace("t0ps3cr3t-value", "an0ther-s3cret"));
    const answer = await caller("write", { path: ".env", content: content.replace("PORT=1", "PORT=2") });
    expect(answer.isError).toBe(false);
    expect(text(".env")).toBe(ENV.replace("t0ps3cr3t-value", "an0ther-s3cret").replace("PORT=1", "PORT=2"));
    person(".env", "PORT=3\n");
    const refused = await caller("write", { path: ".env", content: content.replace("PORT=1", "PORT=4") });
    expect(refused.code).toBe("stale");
    for (const { text: said, data } of [answer, refused])
      for (const value of ["t0ps3cr3t-value", "an0ther-s3cret", "hunter2"])
        expect(said + JSON.stringify(data)).not.toContain(value);
  });
});

describe("people", () => {
  it("are answer of what a dialect replaced unseen, in a notice, in the audit and in the history", async () => {
    const notices: unknown[] = [];
    const root = scratch({ "f.txt": NINE });
    const { picoclaw } = await import("../../src/dialects/picoclaw/picoclaw.ts");
    const app = appOn(root, { dialect: picoclaw, onNotice: (notice) => void notices.push(notice) });
    const signal = new AbortController().signal;
    const input = { path: join(root, "f.txt"), content: OURS };
    expect((await app.surface.call({ tool: "write_file", input, signal })).isError).toBe(false);
    expect(notices).toMatchObject([{ done: [{ act: "write", path: "f.txt" }] }]);
    expect((await callerOf(app)("history")).data["changes"]).toMatchObject([{ files: [{ replaced_unseen: true }] }]);
  });
});
