import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { styleText } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { PRODUCT } from "../../../base/product.ts";
import { quoted } from "../../../text/quote.ts";
import { print } from "../terminal.ts";

/** `holdfast demo`: the real server, driven by the official MCP client, on a temporary directory. */
export async function demo(): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), "holdfast-demo-"));
  const cleanUp = () => rmSync(home, { recursive: true, force: true });
  process.once("SIGINT", () => {
    cleanUp();
    process.exit(130);
  });
  try {
    const workspace = furnish(home);
    const client = await connect(workspace, join(home, "state"));
    const passed = await tour(client, workspace);
    await client.close();
    print(passed ? good("Done. Everything above really happened.") : bad("Something did not hold: please report it."));
    return passed ? 0 : 1;
  } finally {
    cleanUp();
  }
}

const HUGE_LINES = 400_000;

/** A workspace as an agent might meet one, with a secret beside it. */
function furnish(home: string): string {
  const workspace = join(home, "workspace");
  mkdirSync(join(workspace, "src"), { recursive: true });
  writeFileSync(join(home, "secret.txt"), "the secret\n");
  writeFileSync(join(workspace, "notes.txt"), "Buy milk.\nCall Ada.\n");
  writeFileSync(join(workspace, "src", "main.ts"), 'console.log("hello");\n');
  writeFileSync(join(workspace, "latin-1.txt"), Buffer.from("Gr\u00fc\u00dfe aus K\u00f6ln\n", "latin1"));
  writeFileSync(
    join(workspace, "huge.log"),
    Array.from({ length: HUGE_LINES }, (_, n) => `line ${n + 1} of a long log`).join("\n"),
  );
  symlinkSync(join(home, "secret.txt"), join(workspace, "innocent.txt"));
  symlinkSync("../../..", join(workspace, "src", "up"));
  return workspace;
}

async function connect(workspace: string, state: string): Promise<Client> {
  const client = new Client({ name: `${PRODUCT.name}-demo`, version: PRODUCT.version });
  const command = { command: process.execPath, args: [process.argv[1] as string, workspace] };
  await client.connect(
    new StdioClientTransport({
      ...command,
      env: { ...(process.env as Record<string, string>), HOLDFAST_STATE: state },
    }),
  );
  return client;
}

/** What one stop of the tour does: a call, and what must be true of its answer. */
interface Stop {
  readonly says: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly holds: (answer: { readonly isError: boolean; readonly text: string }) => boolean;
}

async function tour(client: Client, workspace: string): Promise<boolean> {
  let passed = true;
  for (const [title, stops] of [
    ["Looking around", LOOKS],
    ["Five ways out, all refused", escapes(workspace)],
  ] as const) {
    print(`\n${styleText("bold", title)}`);
    for (const stop of stops) passed = (await visit(client, stop)) && passed;
  }
  return passed;
}

const shows =
  (part: string): Stop["holds"] =>
  ({ isError, text }) =>
    !isError && text.includes(part);
const refused: Stop["holds"] = ({ isError, text }) => isError && !text.includes("the secret");

const LOOKS: readonly Stop[] = [
  { says: "The tree", tool: "tree", input: {}, holds: shows("main.ts") },
  { says: "A file", tool: "read", input: { path: "notes.txt" }, holds: shows("Call Ada.") },
  {
    says: "Latin-1, recognised",
    tool: "read",
    input: { path: "latin-1.txt" },
    holds: shows("Gr\u00fc\u00dfe aus K\u00f6ln"),
  },
  {
    says: "A huge log, its first page",
    tool: "read",
    input: { path: "huge.log", limit: 2 },
    holds: shows("line 2 of"),
  },
  {
    says: "… from the middle",
    tool: "read",
    input: { path: "huge.log", offset: HUGE_LINES / 2, limit: 2 },
    holds: shows(`line ${HUGE_LINES / 2} of`),
  },
  {
    says: "… and its end",
    tool: "read",
    input: { path: "huge.log", offset: -2 },
    holds: shows(`line ${HUGE_LINES} of`),
  },
];

const escapes = (workspace: string): readonly Stop[] =>
  ["../secret.txt", `${workspace}/../secret.txt`, "innocent.txt", "src/up/secret.txt", "/proc/self/environ"].map(
    (path) => ({
      says: path.replace(workspace, "<workspace>"),
      tool: "read",
      input: { path },
      holds: refused,
    }),
  );

async function visit(client: Client, { says, tool, input, holds }: Stop): Promise<boolean> {
  const started = performance.now();
  const { content, isError = false } = await client.callTool({ name: tool, arguments: input });
  const text = content.map((block) => (block.type === "text" ? block.text : `[${block.type}]`)).join("\n");
  const held = holds({ isError, text });
  const time = styleText("dim", `${(performance.now() - started).toFixed(1)} ms`);
  print(
    `${held ? good("✓") : bad("✗")} ${quoted(says)}  ${styleText("dim", `${tool} ${JSON.stringify(input).slice(0, 80)}`)}  ${time}`,
  );
  print(
    text
      .split("\n")
      .slice(0, SHOWN_LINES)
      .map((line) => `    ${line}`)
      .join("\n"),
  );
  return held;
}

const SHOWN_LINES = 9;
const good = (text: string): string => styleText("green", text);
const bad = (text: string): string => styleText("red", text);
