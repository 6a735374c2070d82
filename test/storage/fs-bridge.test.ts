import { lstat, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type AgentTool, createTools, type SandboxContext, type SandboxFsBridge } from "../../src/index.ts";
import { bridgeStorage } from "../../src/storage/bridge/fs-bridge.ts";
import { OBJECT_ROOT } from "../../src/testing/objects/change-set-fixture.ts";
import { hostilePathsSuite } from "../../src/testing/hostile-paths.ts";
import { storageSuite } from "../../src/testing/storage.ts";
import { layout } from "../layout.ts";

/** A bridge as a builder writes it, over files of this machine. */
const bridge: SandboxFsBridge = {
  readFile,
  async writeFile(path, content) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  },
  stat: lstat,
  readdir,
};

storageSuite({ describe, it }, { symlinks: false, permissions: false, containment: "object-store" }, (tree) =>
  bridgeStorage(bridge, layout(tree)).mount(OBJECT_ROOT),
);

hostilePathsSuite({ describe, it }, { name: "bridge", symlinks: false }, (tree) =>
  bridgeStorage(bridge, layout(tree)).mount("/up/ROOT"),
);

/** Makes the tools of an agent whose sandbox has these files. */
function toolsOf(root: string, context: Partial<SandboxContext> = {}) {
  const sandbox = { enabled: true, workspaceDir: root, workspaceAccess: "rw" as const, fsBridge: bridge, ...context };
  const tools = createTools({ sandbox, modelProvider: "openai" });
  return {
    names: tools.map(({ name }) => name),
    async call(name: string, words: object): Promise<string> {
      const tool = tools.find((each) => each.name === name) as AgentTool;
      const { content } = await tool.execute("1", words);
      return content.map((block) => ("text" in block ? block.text : block.type)).join("\n");
    },
  };
}

describe("tools in a sandbox with a bridge", () => {
  it("read, write and edit through it", async () => {
    const root = layout(["src/a.ts = const one;"]);
    const { call } = toolsOf(root);
    expect(await call("read", { path: "src/a.ts" })).toContain("const one;");
    await call("edit", { path: "src/a.ts", edits: [{ oldText: "one", newText: "two" }] });
    await call("write", { path: "/workspace/deep/er/b.ts", content: "new\n" });
    expect(readFileSync(join(root, "src/a.ts"), "utf8")).toBe("const two;");
    expect(readFileSync(join(root, "deep/er/b.ts"), "utf8")).toBe("new\n");
    expect(await call("grep", { pattern: "two" })).toContain("src/a.ts");
    await call("undo", { path: "src/a.ts" });
    expect(readFileSync(join(root, "src/a.ts"), "utf8")).toBe("const one;");
    await expect(call("undo", { path: "deep/er/b.ts" })).rejects.toThrow("has no function for it");
  });

  it("take back what they created, where the bridge can remove", async () => {
    const root = layout(["a"]);
    const { call } = toolsOf(root, { fsBridge: { ...bridge, remove: (path) => rm(path, { recursive: true }) } });
    await call("write", { path: "deep/er/b.ts", content: "new\n" });
    await call("mkdir", { path: "made" });
    expect(await call("ls", {})).toContain("made");
    await call("write", { path: "made/c", content: "c" });
    expect(await readdir(root)).toEqual(["a", "deep", "made"]);
    for (let left = 3; left > 0; left--) await call("undo", {});
    expect(await call("find", { pattern: "**" })).not.toMatch(/b\.ts|made/);
  });

  it("name the files as commands see them, by the directory in the container", async () => {
    const root = layout(["a = one"]);
    expect(await toolsOf(root, { containerWorkdir: "/project" }).call("read", { path: "/project/a" })).toContain("one");
  });

  it.each([
    { name: "by a code", thrown: Object.assign(new Error("no"), { code: "ENOENT" }) },
    { name: "by a text", thrown: new Error("Sandbox FS error (ENOENT): no such file") },
    { name: "by null", thrown: null },
  ])("hear of missing files $name", async ({ thrown }) => {
    const files = new Map<string, Buffer>();
    const missing = async (): Promise<never> => {
      throw thrown ?? Object.assign(new Error("no"), { code: "ENOENT" });
    };
    const fsBridge: SandboxFsBridge = {
      readFile: async (path) => files.get(path) ?? missing(),
      writeFile: async (path, content) => void files.set(path, content),
      async stat(path) {
        if (path === "/workspace") return { type: "directory", size: 0, mtimeMs: 1 };
        const bytes = files.get(path);
        if (bytes) return { type: "file", size: bytes.length, mtimeMs: 1 };
        return thrown === null ? null : missing();
      },
      readdir: async (path) => (path === "/workspace" ? [...files.keys()].map((each) => each.slice(11)) : missing()),
    };
    const tools = createTools({ sandbox: { enabled: true, workspaceAccess: "rw", fsBridge } });
    const write = tools.find(({ name }) => name === "write") as AgentTool;
    await write.execute("1", { path: "a", content: "one" });
    expect([...files].map(([path, bytes]) => `${path} ${bytes.toString()}`)).toEqual(["/workspace/a one"]);
  });

  it("refuse links, and what the bridge cannot do", async () => {
    const root = layout(["a = one", "../secret = outside"]);
    symlinkSync("../secret", join(root, "link"));
    const { call } = toolsOf(root);
    expect(await call("ls", {})).not.toContain("link");
    await expect(call("read", { path: "link" })).rejects.toThrow("no regular file");
    await expect(call("write", { path: "link", content: "x" })).rejects.toThrow("no regular file");
    await expect(call("delete", { path: "a" })).rejects.toThrow("has no function for it");
    const able = toolsOf(root, { fsBridge: { ...bridge, remove: (path) => rm(path) } });
    await able.call("delete", { path: "a" });
    expect(await readdir(root)).toEqual(["link"]);
    expect(readFileSync(join(root, "../secret"), "utf8")).toBe("outside");
  });

  it("change nothing where the workspace is only read", () => {
    const { names } = toolsOf(layout([]), { workspaceAccess: "ro" });
    expect(names).toContain("read");
    for (const name of ["write", "edit", "apply_patch"]) expect(names).not.toContain(name);
  });

  it("are those of its list", () => {
    const { names } = toolsOf(layout([]), { tools: { allow: ["read", "edit"], deny: ["edit"] } });
    expect(names).toEqual(["read"]);
  });
});
