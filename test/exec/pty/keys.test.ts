import { describe, expect, it } from "vitest";
import { bytesOfKeys, bytesOfPaste } from "../../../src/exec/pty/keys.ts";

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

describe("keys", () => {
  it.each([
    ["Enter", "\r"],
    ["C-c", "\u0003"],
    ["^c", "\u0003"],
    ["C-[", "\u001b"],
    ["C-?", "\u007f"],
    ["Ctrl+C", "\u0003"],
    ["ctrl-d", "\u0004"],
    ["Control+[", "\u001b"],
    ["Alt+x", "\u001bx"],
    ["Ctrl+Shift+Up", "\u001b[1;6A"],
    ["Shift+Tab", "\u001b[Z"],
    ["Return", "\r"],
    ["control-panel", "control-panel"],
    ["Ctrl+", "Ctrl+"],
    ["C-Space", "\0"],
    ["M-x", "\u001bx"],
    ["C-M-a", "\u001b\u0001"],
    ["Escape", "\u001b"],
    ["Tab", "\t"],
    ["BTab", "\u001b[Z"],
    ["S-Tab", "\u001b[Z"],
    ["BSpace", "\u007f"],
    ["Up", "\u001b[A"],
    ["C-Up", "\u001b[1;5A"],
    ["S-M-Left", "\u001b[1;4D"],
    ["Home", "\u001b[H"],
    ["PageDown", "\u001b[6~"],
    ["NPage", "\u001b[6~"],
    ["C-Delete", "\u001b[3;5~"],
    ["F1", "\u001bOP"],
    ["S-F1", "\u001b[1;2P"],
    ["F5", "\u001b[15~"],
    ["F12", "\u001b[24~"],
    ["hello world", "hello world"],
    ["-", "-"],
    ["C-", "C-"],
  ])("sends %s", (name, bytes) => expect(latin1(bytesOfKeys([name]))).toBe(bytes));

  it("are sent in order", () => expect(latin1(bytesOfKeys([":wq", "Enter"]))).toBe(":wq\r"));

  it.each(["C-hello", "C-é", "C-1"])("refuse %s", (name) =>
    expect(() => bytesOfKeys([name])).toThrow("there is no such key"),
  );
});

describe("a paste", () => {
  it("is bracketed, and cannot end its brackets", () =>
    expect(latin1(bytesOfPaste("ls\u001b[20\u001b[201~1~\rrm"))).toBe("\u001b[200~ls[20[201~1~\rrm\u001b[201~"));
});
