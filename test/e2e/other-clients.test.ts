import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { scratch, stateBeside } from "../runtime/scratch.ts";
import { bareEnv, BIN } from "./bin.ts";

const require = createRequire(import.meta.url);
const INSPECTOR = require.resolve("@modelcontextprotocol/inspector-cli");
const ASKING = '{ "policy": { "rules": [{ "act": "write", "decide": "approval", "reason": "writing needs a yes" }] } }';

interface ToolAnswer {
  readonly isError?: boolean | undefined;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>> | undefined;
  readonly _meta?: Readonly<Record<string, { readonly code: string; readonly approval_id?: string } | undefined>>;
}

type CallTool = (name: string, input: Readonly<Record<string, string>>) => Promise<ToolAnswer>;

/** A workspace in which writing needs a yes, as every client of this file starts the server on it. */
function workplace(dialect: string) {
  const root = scratch({ "a.txt": "a\n" });
  const config = join(dirname(root), "f.jsonc");
  writeFileSync(config, ASKING);
  const env = bareEnv({
    HOLDFAST_STATE: stateBeside(root),
    HOLDFAST_CONFIG: config,
    HOLDFAST_APPROVAL_WAIT: "0",
    ...(dialect !== "" && { HOLDFAST_DIALECT: dialect }),
  });
  return { root, env };
}

type Workplace = ReturnType<typeof workplace>;

/** The official client of the first generation. It validates what it is sent by the schemas that it has listed. */
async function clientOfSdk1({ root, env }: Workplace): Promise<CallTool> {
  const client = new Client({ name: "sdk-1", version: "1" });
  onTestFinished(() => client.close());
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [BIN, root], env, stderr: "pipe" }));
  await client.listTools();
  return async (name, input) => (await client.callTool({ name, arguments: input })) as ToolAnswer;
}

/** The Inspector's command line: a process and a server for each call. It looks for its package.json above its working directory. */
const inspector =
  ({ root, env }: Workplace): CallTool =>
  async (name, input) => {
    const pairs = Object.entries(input).flatMap(([key, value]) => ["--tool-arg", `${key}=${value}`]);
    const target = [process.execPath, BIN, root, "--method", "tools/call", "--tool-name", name, ...pairs];
    const child = spawn(process.execPath, [INSPECTOR, "--cli", ...target], { cwd: dirname(INSPECTOR), env });
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    expect([out === "" ? err : "", out]).toEqual(["", out]);
    return JSON.parse(out) as ToolAnswer;
  };

const CLIENTS = [
  { client: "SDK v1", open: clientOfSdk1 },
  { client: "Inspector", open: async (place: Workplace) => inspector(place) },
];

const SURFACES = [
  { dialect: "", read: "read", write: "write", outside: "it is not inside", missing: "it does not exist" },
  {
    dialect: "capabilities",
    read: "filesystem__read",
    write: "filesystem__write",
    outside: "PathOutOfScope",
    missing: "FileNotFound",
  },
  {
    dialect: "fractary",
    read: "fractary_file_read",
    write: "fractary_file_write",
    outside: "PATH_TRAVERSAL",
    missing: "NOT_FOUND",
  },
  {
    dialect: "mcp-filesystem",
    read: "read_text_file",
    write: "write_file",
    outside: "Access denied - path outside allowed directories",
    missing: "ENOENT",
  },
  {
    dialect: "picoclaw",
    read: "read_file",
    write: "write_file",
    outside: "access denied: path is outside the workspace",
    missing: "failed to read file",
  },
];

const CASES = CLIENTS.flatMap((client) => SURFACES.map((surface) => ({ ...client, ...surface })));

const wordsOf = ({ content }: ToolAnswer): string => content.map((block) => block.text).join("\n");

describe.each(CASES)("$client, dialect '$dialect'", ({ open, dialect, read, write, outside, missing }) => {
  it("hears why a call was refused, and why one failed", async () => {
    const call = await open(workplace(dialect));
    for (const [path, code, words] of [
      ["/etc/hostname", "outside_workspace", outside],
      ["none.txt", "not_found", missing],
    ] as const) {
      const answer = await call(read, { path });
      expect(answer).toMatchObject({ isError: true, _meta: { "holdfast/error": { code } } });
      expect(answer.structuredContent).toBeUndefined();
      expect(wordsOf(answer)).toContain(words);
    }
  });

  it("hears what waits for a yes and the command that gives it, which works as it is", async () => {
    const place = workplace(dialect);
    const call = await open(place);
    const wanted = { path: "b.txt", content: "new" };
    const waiting = await call(write, wanted);
    const { code, approval_id: id = "?" } = waiting._meta?.["holdfast/error"] ?? { code: "none" };
    expect(code).toBe("pending");
    const words = wordsOf(waiting).replaceAll(String.raw`\n`, "\n");
    expect(words).toContain("make the same call again");
    expect(words).not.toContain("session {");
    const command = words.split("\n").find((line) => line.includes(`approvals approve ${id}`));
    expect(command).toBeDefined();
    const shell = spawn("sh", ["-c", String(command)], { cwd: "/", env: bareEnv() });
    expect([await text(shell.stdout), await text(shell.stderr)]).toEqual([
      expect.stringContaining(`Allowed ${id}: write;`),
      "",
    ]);
    expect(await call(write, wanted)).not.toHaveProperty("isError");
    expect(readFileSync(join(place.root, "b.txt"), "utf8")).toBe("new");
  });
});
