import { describe, expect, it } from "vitest";
import type { Storage } from "../../src/storage/storage.ts";
import { memoryLayout } from "../layout.ts";
import { callerIn, workspaceOn } from "./storages.ts";

const readOnly = (lines: readonly string[]): Storage => ({
  ...memoryLayout(lines),
  writer: null,
  isWritable: () => false,
});

describe("a storage without a writer", () => {
  it("is a read-only workspace", async () => {
    const workspace = workspaceOn(readOnly(["a.txt = one", "d/b.txt"]));
    expect(workspace.writing).toBeUndefined();
    const call = callerIn(workspace);
    expect((await call("read", { path: "a.txt" })).text).toContain("one");
    expect((await call("grep", { pattern: "one" })).text).toContain("a.txt");
    expect((await call("history")).isError).toBe(false);
    expect((await call("session")).data).toMatchObject({ roots: [{ read: true, write: false }] });
  });

  it.each([
    ["write", { path: "new.txt", content: "x" }],
    ["edit", { path: "a.txt", oldText: "one", newText: "two" }],
    ["move", { source: "a.txt", destination: "c.txt" }],
    ["copy", { source: "d", destination: "e" }],
    ["delete", { path: "d", recursive: true }],
    ["mkdir", { path: "e" }],
  ])("refuses %s as a read-only session does", async (tool, input) => {
    const call = callerIn(workspaceOn(readOnly(["a.txt = one", "d/b.txt"])));
    const { code, text } = await call(tool, input);
    expect({ code, text }).toEqual({ code: "denied", text: expect.stringContaining("read-only") });
    expect((await call("read", { path: "a.txt" })).text).toContain("one");
  });

  it("answers a dry run, and says that nothing is there to undo or restore", async () => {
    const call = callerIn(workspaceOn(readOnly(["a.txt = one"])));
    expect((await call("write", { path: "b.txt", content: "x", dry_run: true })).isError).toBe(false);
    expect((await call("restore", { path: "a.txt" })).code).toBe("not_found");
    expect((await call("undo")).text).toContain("changed nothing");
  });
});
