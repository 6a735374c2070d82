import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { needs } from "../programs.ts";
import { scratch, stateBeside } from "../runtime/scratch.ts";
import { bareEnv, BIN, run } from "./bin.ts";

const FILES = 3000;
const COPY = ["call", "copy", '{"source":"t","destination":"u"}'];

const largeTree = (): string =>
  scratch(Object.fromEntries(Array.from({ length: FILES }, (_, nth) => [`t/${nth % 30}/${nth}.txt`, "x"])));

const isCopied = (root: string): boolean => readdirSync(join(root, "u"), { recursive: true }).length === FILES + 30;

it("progress on a terminal leaves nothing behind", () => {
  needs("script");
  const root = largeTree();
  const command = [process.execPath, BIN, ...COPY].map((word) => `'${word}'`).join(" ");
  const { stdout } = spawnSync("script", ["-qec", command, "/dev/null"], {
    cwd: root,
    env: bareEnv({ TERM: "xterm", HOLDFAST_STATE: stateBeside(root) }),
    input: "",
    encoding: "utf8",
  });
  // Where the machine is fast enough, nothing was drawn.
  const left = stdout.split("\r\u001b[K").map((text) => text.replace(/^copy: [\d,]+ so far$/, ""));
  expect(left.join("")).toBe("Copied t to u\r\n");
  expect(isCopied(root)).toBe(true);
});

it("nothing is drawn where standard error is no terminal", async () => {
  const root = largeTree();
  const { out, err } = await run(COPY, { cwd: root, env: { TERM: "xterm", HOLDFAST_STATE: stateBeside(root) } });
  expect([out, err]).toEqual(["Copied t to u\n", ""]);
  expect(isCopied(root)).toBe(true);
});
