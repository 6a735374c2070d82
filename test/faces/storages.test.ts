import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createApp } from "../../src/app/app.ts";
import { mergeSettings } from "../../src/app/merged-settings.ts";
import { readSettings } from "../../src/faces/cli/flags.ts";
import {
  createHoldfast,
  createTools,
  loadDialect,
  memoryObjects,
  memoryStorage,
  objectStorage,
  type HoldfastOptions,
} from "../../src/index.ts";
import { scratch, stateBeside } from "../runtime/scratch.ts";

const FILES = { "src/main.ts": "const one = 1;\n", "src/deep/other.ts": "one too\n", "note.txt": "note\n" };

const opened = (roots: HoldfastOptions["roots"], options: Partial<HoldfastOptions> = {}) =>
  createHoldfast({ roots, ...options });

/** Returns the text of an answer that must have succeeded. */
const textOf = async (call: Promise<{ readonly isError: boolean; readonly text: string }>): Promise<string> => {
  const { isError, text } = await call;
  expect({ isError, text }).toEqual({ isError: false, text });
  return text;
};

describe("a storage in memory as the only root", () => {
  it("takes a plain object, and gives it back as the agent left it", async () => {
    const storage = memoryStorage(FILES);
    const holdfast = opened([{ name: "project", storage }]);
    await textOf(holdfast.call("read", { path: "src/main.ts" }));
    await textOf(holdfast.call("edit", { path: "src/main.ts", oldText: "1", newText: "2" }));
    await textOf(holdfast.call("write", { path: "new/file.txt", content: "new\n" }));
    await textOf(holdfast.call("delete", { path: "note.txt" }));
    expect(storage.files()).toEqual({
      "src/main.ts": "const one = 2;\n",
      "src/deep/other.ts": "one too\n",
      "new/file.txt": "new\n",
    });
  });

  it("lists, searches and walks it", async () => {
    const holdfast = opened([{ name: "project", storage: memoryStorage(FILES) }]);
    expect(await textOf(holdfast.call("ls", { path: "." }))).toContain("note.txt");
    expect((await holdfast.call("grep", { pattern: "one" })).data).toMatchObject({ total_matches: 2 });
    expect(await textOf(holdfast.call("find", { pattern: "**/*.ts" }))).toContain("src/deep/other.ts");
    expect(await textOf(holdfast.call("tree", {}))).toContain("deep");
  });

  it("undoes changes and restores from its trash", async () => {
    const storage = memoryStorage(FILES);
    const holdfast = opened([{ name: "project", storage }]);
    await textOf(holdfast.call("delete", { path: "src", recursive: true }));
    await textOf(holdfast.call("write", { path: "note.txt", content: "other\n", overwrite: true }));
    expect((await holdfast.history()).data).toMatchObject({ changes: [{ tool: "write" }, { tool: "delete" }] });
    await textOf(holdfast.undo());
    await textOf(holdfast.undo());
    expect(storage.files()).toEqual(FILES);
  });

  it("shows a change to a second handle on the same storage, which can undo it", async () => {
    const storage = memoryStorage(FILES);
    const [one, other] = [opened([{ name: "project", storage }]), opened([{ name: "project", storage }])];
    const { data } = await one.call("delete", { path: "note.txt" });
    await textOf(other.undo({ changeId: String(data["change_id"]) }));
    expect(storage.files()).toEqual(FILES);
  });

  it("watches it", async () => {
    const holdfast = opened([{ name: "project", storage: memoryStorage(FILES) }]);
    const events = await holdfast.watch("src");
    await textOf(holdfast.call("write", { path: "src/new.ts", content: "new\n" }));
    expect((await events.next()).value).toMatchObject({ path: "src/new.ts" });
    holdfast.close();
  });

  it("serves the tools of an agent", async () => {
    const storage = memoryStorage(FILES);
    const [read] = createTools({ roots: [{ name: "project", storage }] }).filter(({ name }) => name === "read");
    expect(JSON.stringify(await read?.execute("1", { path: "note.txt" }))).toContain("note");
  });
});

describe("state of a storage in memory", () => {
  afterEach(() => void vi.unstubAllEnvs());

  it("touches no disk", async () => {
    const home = join(scratch(), "state");
    vi.stubEnv("HOLDFAST_STATE", home);
    const holdfast = opened([{ name: "project", storage: memoryStorage(FILES) }], {
      policy: { rules: [{ act: ["delete"], decide: "approval" }] },
      approver: async () => ({ decision: "always" }),
    });
    await textOf(holdfast.call("write", { path: "a", content: "a" }));
    await textOf(holdfast.call("delete", { path: "a" }));
    holdfast.close();
    expect(existsSync(home)).toBe(false);
  });

  it("refuses at once what needs an approval that nobody can give", async () => {
    const holdfast = opened([{ name: "project", storage: memoryStorage(FILES) }], {
      policy: { rules: [{ act: ["delete"], decide: "approval" }] },
    });
    const { error } = await holdfast.call("delete", { path: "note.txt" });
    expect(error).toMatchObject({ code: "denied", message: expect.stringContaining("nobody can answer") });
  });

  it("goes on when the approver answers something else", async () => {
    const warned: string[] = [];
    const holdfast = opened([{ name: "project", storage: memoryStorage(FILES) }], {
      policy: { rules: [{ act: ["delete"], decide: "approval" }] },
      approver: async () => ({ decision: "approve" }) as never,
      warn: (message) => void warned.push(message),
    });
    expect((await holdfast.call("delete", { path: "note.txt" })).error?.code).toBe("pending");
    expect(warned).toEqual(["Cannot use the answer of sdk: the decision must be once, session, always, deny"]);
  });

  it("keeps the audit log where the program says, but not the history", async () => {
    const home = join(scratch(), "state");
    const holdfast = opened([{ name: "project", storage: memoryStorage() }], { stateDirectory: home });
    await textOf(holdfast.call("write", { path: "a", content: "a" }));
    holdfast.close();
    expect(existsSync(home)).toBe(true);
  });
});

const both = () => {
  const root = scratch({ "disk.txt": "on the disk: one\n" });
  const storage = memoryStorage({ "memory.txt": "in memory: one\n", "dir/deep.txt": "deep\n" });
  const holdfast = opened([root, { name: "scratch", storage }], { stateDirectory: stateBeside(root) });
  return { root, storage, holdfast };
};

describe("a directory and a storage", () => {
  it.each(["//scratch/memory.txt", "//scratch//memory.txt", "/scratch/memory.txt", "memory.txt"])(
    "opens %s in the storage",
    async (path) => {
      expect(await textOf(both().holdfast.call("read", { path }))).toContain("in memory");
    },
  );

  it.each(["//scratch/../etc/passwd", "//scratch/..", "//other/memory.txt", "//", "//etc/passwd"])(
    "refuses %s",
    async (path) => {
      expect((await both().holdfast.call("read", { path })).error?.code).toBe("outside_workspace");
    },
  );

  it("names both in the session, and shows paths that it accepts", async () => {
    const { holdfast, root } = both();
    const { data } = await holdfast.call("session", {});
    expect(data).toMatchObject({ roots: [{ path: root }, { path: "//scratch", read: true, write: true }] });
    const found = await textOf(holdfast.call("find", { path: "//scratch", pattern: "**/deep.txt" }));
    expect(found).toContain("//scratch/dir/deep.txt");
  });

  it("searches each by its own means", async () => {
    const { holdfast } = both();
    expect(await textOf(holdfast.call("grep", { pattern: "one", path: "//scratch" }))).toContain(
      "//scratch/memory.txt",
    );
    expect(await textOf(holdfast.call("grep", { pattern: "one" }))).toContain("disk.txt");
  });

  it("changes each, and undoes in one order", async () => {
    const { holdfast, root, storage } = both();
    await textOf(holdfast.call("write", { path: "//scratch/memory.txt", content: "new", overwrite: true }));
    await textOf(holdfast.call("write", { path: join(root, "disk.txt"), content: "new", overwrite: true }));
    await textOf(holdfast.call("delete", { path: "//scratch/dir", recursive: true }));
    const { data } = await holdfast.history();
    expect(data).toMatchObject({ changes: [{ tool: "delete" }, { tool: "write" }, { tool: "write" }] });
    for (const _ of [1, 2, 3]) await textOf(holdfast.undo());
    expect(storage.files()).toEqual({ "memory.txt": "in memory: one\n", "dir/deep.txt": "deep\n" });
    expect(readFileSync(join(root, "disk.txt"), "utf8")).toBe("on the disk: one\n");
  });

  it("refuses a change of both at once", async () => {
    const { holdfast, storage } = both();
    const files = ["disk.txt", "//scratch/disk.txt"].map((path) => `*** Add File: ${path}.new\n+new`);
    const input = ["*** Begin Patch", ...files, "*** End Patch"].join("\n");
    const { error } = await holdfast.call("apply_patch", { input });
    expect(error).toMatchObject({ code: "invalid_input", message: expect.stringContaining("different storages") });
    expect(Object.keys(storage.files())).not.toContain("disk.txt.new");
  });

  it("keeps the history of the storage out of the state directory", async () => {
    const { holdfast, root } = both();
    await textOf(holdfast.call("write", { path: "//scratch/private", content: "x" }));
    holdfast.close();
    const another = opened([root, { name: "scratch", storage: memoryStorage() }], {
      stateDirectory: stateBeside(root),
    });
    expect((await another.history()).data).toMatchObject({ changes: [] });
  });

  it("applies rules by the name of the storage", async () => {
    const { root, storage } = both();
    const holdfast = opened([root, { name: "box", storage: memoryStorage({ "a/x": "1", "b/x": "2" }) }], {
      stateDirectory: stateBeside(root),
      policy: { rules: [{ act: ["read"], path: "//box/a/**", decide: "blocked" }] },
    });
    expect((await holdfast.call("read", { path: "//box/a/x" })).error?.code).toBe("denied");
    expect((await holdfast.call("read", { path: "//box/b/x" })).isError).toBe(false);
    expect(storage.files()).toHaveProperty("memory.txt");
  });
});

describe("dialects and faces on a storage", () => {
  it.each([
    { dialect: "mcp-filesystem", tool: "read_text_file" },
    { dialect: "picoclaw", tool: "read_file" },
    { dialect: "fractary", tool: "fractary_file_read" },
    { dialect: "capabilities", tool: "filesystem__read" },
  ])("reads with $dialect, by the name of the root too", async ({ dialect, tool }) => {
    const holdfast = opened([{ name: "box", storage: memoryStorage(FILES) }], { dialect: await loadDialect(dialect) });
    for (const path of ["note.txt", "//box/note.txt"])
      expect(await textOf(holdfast.call<string>(tool, { path }))).toContain("note");
  });

  it("writes, lists and deletes with fractary", async () => {
    const storage = memoryStorage();
    const holdfast = opened([{ name: "box", storage }], { dialect: await loadDialect("fractary") });
    await textOf(holdfast.call<string>("fractary_file_write", { path: "a/b.txt", content: "text" }));
    expect(await textOf(holdfast.call<string>("fractary_file_list", { path: "a" }))).toContain("a/b.txt");
    expect(storage.files()).toEqual({ "a/b.txt": "text" });
    await textOf(holdfast.call<string>("fractary_file_delete", { path: "a/b.txt" }));
    expect(storage.files()).toEqual({ "a/": "" });
  });

  it("watches one of several", async () => {
    const { holdfast } = both();
    const events = await holdfast.watch("//scratch");
    await textOf(holdfast.call("write", { path: "disk-too.txt", content: "x" }));
    await textOf(holdfast.call("write", { path: "//scratch/new.txt", content: "x" }));
    expect((await events.next()).value).toMatchObject({ path: "//scratch/new.txt" });
    holdfast.close();
  });

  it("says how to change files of several storages", async () => {
    const { holdfast, root } = both();
    await textOf(holdfast.call("write", { path: "//scratch/a", content: "x" }));
    const { data } = await holdfast.call("write", { path: join(root, "a"), content: "x" });
    const { data: session } = await holdfast.call("session", {});
    const { error } = await holdfast.undo({ session: String(session["session_id"]) });
    expect(error?.message).toContain("different storages");
    await textOf(holdfast.undo({ changeId: String(data["change_id"]) }));
    await textOf(holdfast.undo());
  });
});

describe("the backups in an object store", () => {
  it.each([
    ["write", { path: ".holdfast-store/x", content: "x" }],
    ["move", { source: "note.txt", destination: ".holdfast-store/x" }],
    ["copy", { source: "note.txt", destination: ".holdfast-store/trash/x" }],
    ["mkdir", { path: ".holdfast-store/objects/x" }],
    ["read", { path: ".holdfast-store/objects" }],
  ] as const)("are out of reach of %s", async (tool, input) => {
    const holdfast = opened([{ name: "project", storage: objectStorage(memoryObjects()) }], {
      stateDirectory: stateBeside(scratch()),
    });
    await textOf(holdfast.call("write", { path: "note.txt", content: "note" }));
    const refused = { isError: true, data: { error: { code: "denied" } } };
    expect(await holdfast.call(tool as "write", input as never)).toMatchObject(refused);
  });
});

describe("several storages", () => {
  it("keeps their files apart, and restores each from its own trash", async () => {
    const [one, other] = [memoryStorage({ a: "one" }), memoryStorage({ a: "other" })];
    const holdfast = opened([
      { name: "one", storage: one },
      { name: "other", storage: other },
    ]);
    const deleted = await holdfast.call("delete", { path: "//other/a" });
    expect([one.files(), other.files()]).toEqual([{ a: "one" }, {}]);
    await textOf(holdfast.call("restore", { trash_id: deleted.data["trash_id"] as string }));
    expect([one.files(), other.files()]).toEqual([{ a: "one" }, { a: "other" }]);
  });
});

const mine = (text: string) => ({ mine: () => memoryStorage({ a: text }) });

describe("roots by URL", () => {
  it("opens memory:// with nothing in it", async () => {
    const holdfast = opened(["memory://scratch"]);
    await textOf(holdfast.call("write", { path: "//scratch/a", content: "a\n" }));
    expect(await textOf(holdfast.call("read", { path: "a" }))).toContain("a");
  });

  it("opens memory:// that a configuration file names", async () => {
    const file = join(scratch({ "config.jsonc": '{ "roots": ["memory://scratch"] }' }), "config.jsonc");
    const app = createApp(await mergeSettings(readSettings(["--config", file], {}), []));
    onTestFinished(app.close);
    expect(app.session.facts.roots()).toMatchObject([{ path: "//scratch", read: true, write: true }]);
  });

  it("opens a scheme of the program", async () => {
    const storage = memoryStorage(FILES);
    const holdfast = opened(["mine://box/some/where"], { storages: { mine: () => storage } });
    expect(await textOf(holdfast.call("read", { path: "//box/note.txt" }))).toContain("note");
  });

  it("opens a scheme of a plugin, unless the program has it", async () => {
    const plugins = ["plugin", "later"].map((id) => ({ id, storages: mine(id) }));
    const textIn = (options: Partial<HoldfastOptions>) =>
      textOf(opened(["mine://box"], { plugins, ...options }).call("read", { path: "a" }));
    expect([await textIn({}), await textIn({ storages: mine("program") })]).toEqual(["plugin", "program"]);
  });

  it.each([
    { roots: ["s3://bucket"], reason: 'no storage has the scheme "s3"; known: memory://' },
    { roots: ["memory://"], reason: "Cannot name a storage" },
    { roots: ["memory://a/b"], reason: "give memory:// and a name only" },
    { roots: ["memory://a", "memory://a"], reason: "two storages have it" },
    { roots: [{ name: "../etc", storage: memoryStorage() }], reason: "Cannot name a storage" },
    { roots: [{ name: "a" } as never], reason: 'the option "roots" is wrong' },
  ])("refuses $roots", ({ roots, reason }) => {
    expect(() => opened(roots)).toThrow(reason);
  });

  it("refuses one storage under two names", () => {
    const storage = memoryStorage();
    opened([{ name: "a", storage }]);
    expect(() => opened([{ name: "b", storage }])).toThrow("its history has one name");
  });
});

describe("files of a storage in memory", () => {
  it("keeps bytes, empty files and empty directories", () => {
    const files = { "a.bin": Uint8Array.of(0xff, 0), empty: "", "dir/": "" };
    expect(memoryStorage(files).files()).toEqual(files);
  });

  it.each([
    { "../a": "" },
    { "/a": "" },
    { "a//b": "" },
    { "": "" },
    { "a/./b": "" },
    { a: "", "a/b": "" },
    { "a/b": "", a: "" },
    { "d/": "text" },
  ])("refuses %j", (files) => {
    expect(() => memoryStorage(files as never)).toThrow("in memory");
  });
});
