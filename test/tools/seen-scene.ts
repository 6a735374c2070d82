import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "../../src/base/limits.ts";
import { type Caller, callerOn, scratch, type CallResult, type Tree } from "../runtime/scratch.ts";

export const NINE = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n";
export const THEIRS = NINE.replace("two", "zwei");
export const OURS = NINE.replace("eight", "acht");
export const BOTH = THEIRS.replace("eight", "acht");

interface Scene {
  readonly root: string;
  readonly caller: Caller;
  /** Changes the file as another program would. */
  person(name: string, content: string | Uint8Array): void;
  text(name: string): string;
  write(input: object): Promise<CallResult>;
}

export function scene(tree: Tree = { "f.txt": NINE }, options: Parameters<typeof callerOn>[1] = {}): Scene {
  const root = scratch(tree);
  const caller = callerOn(root, { loopDetection: false, ...options });
  return {
    root,
    caller,
    person: (name, content) => writeFileSync(join(root, name), content),
    text: (name) => readFileSync(join(root, name), "utf8"),
    write: (input) => caller("write", { path: "f.txt", content: OURS, ...input }),
  };
}

export const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, "utf16le");
export const crlf = (text: string): string => text.replaceAll("\n", "\r\n");
export const large = (text: string): string => `${text}${"x".repeat(LIMITS.hashedBytes)}\n`;

export const firstLine = ({ text }: CallResult): string => text.slice(0, text.indexOf("\n"));
