import { appendFileSync, chmodSync, lstatSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { Options } from "../../src/app/options.ts";
import { LIMITS } from "../../src/base/limits.ts";
import { needs } from "../programs.ts";
import { pictureOf } from "../workspace/changes/views/on-view.ts";
import { type Caller, type CallResult, callerOn, scratch, stateBeside, type Tree } from "../runtime/scratch.ts";

const RUNGS = ["none", "bubblewrap"] as const;
type Rung = (typeof RUNGS)[number];

/** Says yes to everything: without a sandbox every command asks. */
const approver: Options["approver"] = async () => ({ decision: "once" });

function workspace(rung: Rung, tree: Tree) {
  if (rung === "bubblewrap") needs("bwrap", "unshare", "mount", "setpriv");
  const root = scratch(tree);
  const exec = { security: "full", sandbox: { kind: rung } } as const;
  return {
    root,
    call: callerOn(root, { exec, loopDetection: false, approver }),
    at: (name: string) => join(root, name),
    read: (name: string) => readFileSync(join(root, name), "utf8"),
  };
}

/** Runs a command on the files themselves, to its end. */
async function run(call: Caller, command: string, how: object = { background: true }): Promise<CallResult> {
  const started = await call("exec", { command, ...how });
  if (started.data["status"] !== "running") return started;
  return end(call, started);
}

/** Polls a command until it has ended; `changes` are those of all polls. */
async function end(call: Caller, { data }: CallResult): Promise<CallResult> {
  const changes: unknown[] = [];
  for (;;) {
    const polled = await call("process", { action: "poll", process_id: data["process_id"], timeout: 5000 });
    changes.push(...((polled.data["changes"] as unknown[] | undefined) ?? []));
    if (polled.data["status"] !== "running") return { ...polled, data: { ...polled.data, changes } };
  }
}

const TREE: Tree = {
  "a.txt": "one\n",
  "b.txt": "two\n",
  "src/x/y.ts": "y\n",
  "src/x/z.ts": "z\n",
  "src/main.ts": "main\n",
  link: { link: "a.txt" },
  empty: null,
};

/** Lists ways to change files, and what the list says of each. */
const ROWS = [
  { name: "create", command: "echo n > n.txt", changes: ["created n.txt (2 bytes)"] },
  {
    name: "create a directory",
    command: "mkdir -p d/e; echo n > d/e/f; echo 1 > d/g",
    changes: ["created d (2 files, 4 bytes)"],
  },
  { name: "overwrite", command: "echo 1 > a.txt", changes: ["changed a.txt (+1 −1)"] },
  { name: "replace by rename", command: "echo 1 > t; mv t a.txt", changes: ["changed a.txt (+1 −1)"] },
  { name: "append", command: "echo 1 >> a.txt", changes: ["changed a.txt (+1 −0)"] },
  { name: "delete", command: "rm a.txt", changes: ["deleted a.txt (4 bytes)"] },
  {
    name: "delete a directory",
    command: "rm -r src empty",
    changes: ["deleted empty (0 files, 0 bytes)", "deleted src (3 files, 9 bytes)"],
  },
  {
    name: "rename a directory",
    command: "mv src lib",
    changes: ["created lib (3 files, 9 bytes)", "deleted src (3 files, 9 bytes)"],
  },
  {
    name: "permissions",
    command: "chmod 700 a.txt src",
    changes: ["permissions a.txt (4 bytes, permissions 700)", "permissions src (0 bytes, permissions 700)"],
  },
  {
    name: "permissions and content",
    command: "echo 1 > a.txt; chmod 600 a.txt",
    changes: ["changed a.txt (+1 −1, permissions 600)"],
  },
  { name: "another link", command: "ln -sf b.txt link", changes: ["created link (5 bytes)", "deleted link (5 bytes)"] },
  { name: "a new link", command: "ln -s b.txt l2", changes: ["created l2 (5 bytes)"] },
  {
    name: "a file in place of a directory",
    command: "rm -r src; echo 1 > src",
    changes: ["created src (2 bytes)", "deleted src (3 files, 9 bytes)"],
  },
  {
    name: "a directory in place of a file",
    command: "rm a.txt; mkdir a.txt; echo 1 > a.txt/b",
    changes: ["created a.txt (1 file, 2 bytes)", "deleted a.txt (4 bytes)"],
  },
] as const;

it.each([
  ["echo 1; cat a.txt | grep 1", "none"],
  ["cat a.txt > c.txt", "picture"],
  ["sh -c true", "picture"],
])("without a sandbox, a picture is taken unless a command surely changes nothing: %s", async (command, undo) => {
  vi.stubEnv("PATH", "/usr/bin:/bin");
  const { call } = workspace("none", TREE);
  expect((await run(call, command, {})).data["undo"]).toBe(undo);
});

describe.each(RUNGS)("a command that works on the files themselves, sandbox %s", (rung) => {
  it.each(ROWS)("$name: is listed and taken back", async ({ command, changes }) => {
    const { root, call } = workspace(rung, TREE);
    const before = pictureOf(root);
    const { data } = await run(call, command);
    expect([data["undo"], (data["changes"] as string[]).toSorted()]).toEqual(["picture", changes]);
    expect((await call("undo")).code).toBe("ok");
    expect(pictureOf(root)).toEqual(before);
  });

  it.each(["touch a.txt; touch -r b.txt src/main.ts", "echo 1 > t; rm t"])("%s: is no change", async (command) => {
    const { call } = workspace(rung, TREE);
    const { data } = await run(call, command);
    expect([data["undo"], data["changes"], data["change_id"]]).toEqual(["picture", [], undefined]);
  });

  it("deletes everything, and all of it comes back", async () => {
    const { root, call, at } = workspace(rung, { ...TREE, "bin/run": "#!/bin/sh\n", "deep/a/b/c/d": "d\n" });
    chmodSync(at("bin/run"), 0o755);
    chmodSync(at("deep/a"), 0o750);
    const [before, { mtimeMs }] = [pictureOf(root), lstatSync(at("deep/a/b/c/d"))];
    await run(call, "rm -rf ./* ");
    expect(pictureOf(root)).toEqual({});
    await call("undo");
    expect(pictureOf(root)).toEqual(before);
    expect(Math.floor(lstatSync(at("deep/a/b/c/d")).mtimeMs)).toBe(Math.floor(mtimeMs));
  });

  it.each([{ pty: true }, { background: true, pty: true }, { detach: true }])(
    "with %j",
    async (how) => {
      if ("pty" in how) needs("script");
      const { root, call } = workspace(rung, TREE);
      const before = pictureOf(root);
      const { data } = await run(call, "rm -r src; echo 1 >> a.txt", how);
      expect([data["undo"], data["changes"]]).toEqual([
        "picture",
        ["changed a.txt (+1 −0)", "deleted src (3 files, 9 bytes)"],
      ]);
      await call("undo");
      expect(pictureOf(root)).toEqual(before);
    },
    30_000,
  );
});

describe("a command in the foreground without a view", () => {
  it("is pictured as well, and undone at once", async () => {
    const { root, call, read } = workspace("none", TREE);
    const before = pictureOf(root);
    const { data, text } = await call("exec", { command: "echo 2 >> a.txt; rm -r src" });
    expect(data).toMatchObject({ status: "done", undo: "picture", change_id: expect.any(String) });
    expect(text).toContain("deleted src (3 files, 9 bytes)");
    expect(read("a.txt")).toBe("one\n2\n");
    expect((await call("undo", { change_id: data["change_id"] })).isError).toBe(false);
    expect(pictureOf(root)).toEqual(before);
  });

  it("cannot only be tried", async () => {
    const { call, read } = workspace("none", TREE);
    expect((await call("exec", { command: "echo 2 > a.txt", dry_run: true })).code).toBe("invalid_input");
    expect(read("a.txt")).toBe("one\n");
  });

  it("has no picture where its caller wants none", async () => {
    const { call } = workspace("none", TREE);
    const { data } = await call("exec", { command: "echo 2 > a.txt", undo: false });
    expect([data["undo"], data["changes"]]).toEqual(["none", undefined]);
  });
});

describe("what a picture does not cover", () => {
  it("is counted, and undo brings back the rest", async () => {
    const large = Buffer.alloc(LIMITS.pictureFileBytes + 1, 1);
    const { call, at, read, root } = workspace("none", {
      ...TREE,
      "large.bin": large,
      "d/large": large,
      "d/small": "s\n",
    });
    const { data, text } = await run(call, "echo 1 > a.txt; echo 2 > large.bin; rm -r d");
    expect(data["changes"]).toEqual([
      "changed a.txt (+1 −1)",
      "deleted d (2 files, 8388611 bytes, no copy kept of 1)",
      "changed large.bin (2 bytes, no copy kept)",
    ]);
    expect(text).toContain("no copy was kept of 2 changed files: undo cannot restore them");
    const undone = await call("undo");
    expect(undone.text).toContain("large.bin: no copy of it was kept");
    expect([read("a.txt"), read("d/small"), read("large.bin")]).toEqual(["one\n", "s\n", "2\n"]);
    expect(Object.keys(pictureOf(root))).not.toContain("d/large");
    expect(lstatSync(at("d")).isDirectory()).toBe(true);
  });

  it("alone is refused, with the reason", async () => {
    const large = Buffer.alloc(LIMITS.pictureFileBytes + 1, 1);
    const { call } = workspace("none", { "large.bin": large });
    await run(call, "echo 2 > large.bin");
    const { code, text } = await call("undo");
    expect([code, text]).toEqual(["conflict", expect.stringContaining("no copy of it was kept")]);
  });
});

/** Starts a command that goes on when it is told to. */
async function waiting(call: Caller, command: string): Promise<CallResult & { go(): Promise<CallResult> }> {
  const started = await call("exec", { command: `read go; ${command}`, background: true });
  const go = async (): Promise<CallResult> => {
    await call("process", { action: "write", process_id: started.data["process_id"], input: "go\n" });
    return end(call, started);
  };
  return { ...started, go };
}

describe("what others change meanwhile", () => {
  it("by a tool is not attributed to the command", async () => {
    const { call, read } = workspace("none", TREE);
    const { go } = await waiting(call, "echo 1 > n.txt");
    await call("edit", { path: "a.txt", oldText: "one", newText: "ONE" });
    await call("write", { path: "made/by.txt", content: "tool\n" });
    await call("delete", { path: "src/x" });
    expect((await go()).data["changes"]).toEqual(["created n.txt (2 bytes)"]);
    await call("undo");
    expect([read("a.txt"), read("made/by.txt")]).toEqual(["ONE\n", "tool\n"]);
  });

  it("in the same file is told apart: only what the command added goes", async () => {
    const { call, read } = workspace("none", { "a.txt": "1\n2\n3\n4\n5\n6\n" });
    const { go } = await waiting(call, "echo 7 >> a.txt");
    await call("edit", { path: "a.txt", oldText: "1\n", newText: "one\n" });
    expect((await go()).data["changes"]).toEqual(["changed a.txt (+1 −0)"]);
    await call("undo");
    expect(read("a.txt")).toBe("one\n2\n3\n4\n5\n6\n");
    await call("undo");
    expect(read("a.txt")).toBe("1\n2\n3\n4\n5\n6\n");
  });

  it("after the command in the same file stays, and what the command did goes", async () => {
    const { call, read } = workspace("none", { "a.txt": "1\n2\n3\n4\n5\n6\n" });
    const started = await call("exec", { command: "echo 7 >> a.txt; echo done; sleep 60", background: true });
    await expect.poll(() => read("a.txt")).toContain("7");
    await call("edit", { path: "a.txt", oldText: "1\n", newText: "one\n" });
    await call("process", { action: "kill", process_id: started.data["process_id"] });
    const [change] = ((await call("history")).data["changes"] as { change_id: string; tool: string }[]).filter(
      ({ tool }) => tool === "exec",
    );
    await call("undo", { change_id: change?.change_id });
    expect(read("a.txt")).toBe("one\n2\n3\n4\n5\n6\n");
  }, 30_000);

  it("by a person is listed with the rest, and the note says so", async () => {
    const { call, at } = workspace("none", TREE);
    const { go } = await waiting(call, "true");
    appendFileSync(at("b.txt"), "by hand\n");
    const { data, text } = await go();
    expect(data["changes"]).toEqual(["changed b.txt (+1 −0)"]);
    expect(text).toContain("its changes, and those of other programs meanwhile");
  });

  it("after a poll begins a new set", async () => {
    const { call, read, at } = workspace("none", TREE);
    const { data, go } = await waiting(call, "echo 3 >> a.txt; rm n.txt");
    writeFileSync(at("n.txt"), "n\n");
    writeFileSync(at("a.txt"), "one\n2\n");
    const polled = await call("process", { action: "status", process_id: data["process_id"] });
    expect(polled.data["changes"]).toEqual(["changed a.txt (+1 −0)", "created n.txt (2 bytes)"]);
    expect((await go()).data["changes"]).toEqual(["changed a.txt (+1 −0)", "deleted n.txt (2 bytes)"]);
    await call("undo");
    expect([read("a.txt"), read("n.txt")]).toEqual(["one\n2\n", "n\n"]);
    await call("undo");
    expect(read("a.txt")).toBe("one\n");
  });
});

it("a poll of a command in a sandbox lists no placeholders", async () => {
  const { call } = workspace("bubblewrap", { "a.txt": "one\n", ".git/HEAD": "ref: refs/heads/main\n" });
  const started = await call("exec", { command: "read go", background: true });
  const polled = await call("process", { action: "status", process_id: started.data["process_id"] });
  expect(polled.data["changes"]).toEqual([]);
  await call("process", { action: "write", process_id: started.data["process_id"], input: "go\n" });
  expect((await end(call, started)).data["changes"]).toEqual([]);
});

it("leaves nothing in the store but backups, and is in the history and the trash", async () => {
  const { root, call } = workspace("none", TREE);
  const { data } = await run(call, "rm b.txt; echo 2 >> a.txt");
  const [change] = (await call("history")).data["changes"] as Record<string, unknown>[];
  expect(change).toMatchObject({ change_id: data["change_id"], tool: "exec" });
  expect(JSON.stringify((await call("restore", { path: "b.txt" })).data)).toContain("b.txt");
  expect(Object.keys(pictureOf(stateBeside(root))).filter((path) => path.includes("pictures/"))).toEqual([
    expect.stringMatching(/pictures\/$/),
    expect.stringMatching(/pictures\/$/),
  ]);
});
