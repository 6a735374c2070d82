import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { Client, type ClientOptions, type ElicitResult } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect } from "vitest";
import { type AtEnd, stateBeside, withTest } from "../runtime/scratch.ts";

/** The built command line, as users run it. `npm test` builds it first. */
export const BIN = resolve(import.meta.dirname, "../../dist/holdfast.cjs");
// Whoever talks to a program that is not there waits for its answer until the time is up.
if (!existsSync(BIN)) throw new Error("Cannot test the command line: it is not built; npm run build makes it");

/** Returns the variables that Node needs to start, and none that could change our behavior. */
export const bareEnv = (more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: process.env["HOME"] ?? "",
  NO_COLOR: "1",
  ...more,
});

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly cwd?: string;
  /** Undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
}

/** Runs the command to its end, with nothing on standard input. */
export async function run(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const child = spawn(process.execPath, [BIN, ...args], {
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    env: { ...bareEnv(), ...options.env },
  });
  child.stdin.end(options.input ?? "");
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code, out, err };
}

/** The revisions we speak, and how the official client is brought to speak each. */
export const ERAS: readonly { readonly era: string; readonly options: ClientOptions }[] = [
  { era: "2025-06-18", options: { supportedProtocolVersions: ["2025-06-18"] } },
  { era: "2025-11-25", options: {} },
  { era: "2026-07-28", options: { versionNegotiation: { mode: { pin: "2026-07-28" } } } },
];

/** The official client, connected to a server on this root. Closed when the test ends. */
export async function connect(
  root: string,
  options: ClientOptions = {},
  atEnd: AtEnd = withTest,
  args: readonly string[] = [],
  prepare: (client: Client) => void = () => {},
) {
  const client = new Client({ name: "holdfast-test", version: "1.0.0" }, options);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, root, ...args],
    env: bareEnv({ HOLDFAST_STATE: stateBeside(root) }),
    stderr: "pipe",
  });
  atEnd(() => client.close());
  prepare(client);
  await client.connect(transport);
  return client;
}

/** The same with a user who is shown forms and answers them; tells what he was shown. */
export async function withElicitation(
  root: string,
  options: ClientOptions,
  args: readonly string[],
  answer: (signal: AbortSignal) => Promise<ElicitResult>,
  prepare: (client: Client) => void = () => {},
) {
  const messages: string[] = [];
  const capabilities = { ...options.capabilities, elicitation: {} };
  const client = await connect(root, { ...options, capabilities }, withTest, args, (fresh) => {
    fresh.setRequestHandler("elicitation/create", ({ params }, { mcpReq }) => {
      messages.push(params.message);
      return answer(mcpReq.signal);
    });
    prepare(fresh);
  });
  return { client, messages };
}

/** Exactly this text, or one like it. */
export const saying = (wanted: string | RegExp): unknown =>
  typeof wanted === "string" ? wanted : expect.stringMatching(wanted);

/** Arguments of a test that uses no state of the machine it runs on. */
export const own = (root: string, more: Readonly<Record<string, string>> = {}) => ({
  cwd: root,
  env: { HOLDFAST_STATE: stateBeside(root), ...more },
});

/** The version of the built program. */
export const VERSION = (JSON.parse(readFileSync(join(BIN, "../../package.json"), "utf8")) as { version: string })
  .version;
