import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it, vi } from "vitest";
import { parse as parseYaml } from "yaml";
import { parseJsonc } from "../../src/text/jsonc.ts";
import { bareEnv, BIN, run } from "../e2e/bin.ts";
import { type AgentProgram, needsAgent } from "../programs.ts";
import { scratch, stateBeside, together } from "../runtime/scratch.ts";

/** A home without any client, and a project in it. */
function home() {
  const root = scratch({ site: null });
  const site = join(root, "site");
  const env = { HOME: root, HOLDFAST_STATE: stateBeside(root) };
  const install = (...args: readonly string[]) => run(["install", ...args], { cwd: site, env });
  return { root, site, env, install };
}

/** Agents, and the line that each prints about a server that it can use. */
const AGENTS: readonly {
  readonly client: string;
  readonly program: AgentProgram;
  readonly words: readonly string[];
  readonly connected: RegExp;
  readonly env?: Readonly<Record<string, string>>;
}[] = [
  { client: "claude-code", program: "claude", words: ["mcp", "list"], connected: /^holdfast: .*Connected/m },
  {
    client: "gemini",
    program: "gemini",
    words: ["mcp", "list"],
    connected: /holdfast: .* \(stdio\) - Connected/,
    env: { GEMINI_CLI_TRUST_WORKSPACE: "true" },
  },
  { client: "opencode", program: "opencode", words: ["mcp", "list"], connected: /holdfast.*connected/ },
  {
    client: "codex",
    program: "codex",
    words: ["mcp", "list"],
    connected: /^holdfast +\S*node +\S+holdfast\.cjs \S+\/site /m,
  },
];

const URL = "http://127.0.0.1:3999/mcp";

describe("real agents read what we wrote", () => {
  it("codex, with a URL and a header", async () => {
    needsAgent("codex");
    const { site, env } = home();
    expect(
      await run(["install", "codex", "--http", URL], { cwd: site, env: { ...env, HOLDFAST_TOKEN: "t0ken" } }),
    ).toMatchObject({ code: 0 });
    const out = await outputOf("codex", ["mcp", "get", "holdfast", "--json"], site, env);
    expect(JSON.parse(out.slice(out.indexOf("{"), out.lastIndexOf("}") + 1))).toMatchObject({
      transport: { type: "streamable_http", url: URL, http_headers: { Authorization: "Bearer t0ken" } },
    });
  });

  it.each(AGENTS)("$client", async ({ client, program, words, connected, env: more = {} }) => {
    needsAgent(program);
    const { site, env, install } = home();
    const listed = () => outputOf(program, words, site, { ...env, ...more });
    expect(await listed()).not.toMatch(connected);
    expect(await install(client)).toMatchObject({ code: 0, err: "" });
    expect(await listed()).toMatch(connected);
    expect(await install(client, "--remove")).toMatchObject({ code: 0, err: "" });
    expect(await listed()).not.toMatch(connected);
  });
});

/** Runs an agent to its end. */
async function outputOf(
  program: AgentProgram,
  words: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const child = spawn(program, words, { cwd, env: bareEnv(env), stdio: ["ignore", "pipe", "pipe"] });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return out + err;
}

/** The name that `add-mcp` has for a client. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  gemini: "gemini-cli",
  copilot: "github-copilot-cli",
  kilo: "kilo-code",
  grok: "grok-build",
  kimi: "kimi-code",
  mastra: "mastracode",
  kiro: "kiro-cli",
};

const SAME = [
  "antigravity",
  "claude-code",
  "claude-desktop",
  "cline",
  "cline-cli",
  "codex",
  "cursor",
  "fx",
  "goose",
  "opencode",
  "pi",
  "vscode",
  "windsurf",
  "zed",
];

/** Loads `add-mcp` for a home of its own: it reads the variables when it is loaded. */
const oracle = together(async (atEnd) => {
  const root = scratch({}, atEnd);
  vi.stubEnv("HOME", root);
  vi.stubEnv("XDG_CONFIG_HOME", "");
  const { upsertServer } = await import("add-mcp");
  vi.unstubAllEnvs();
  type Args = Parameters<typeof upsertServer>;
  return { root, upsert: (agent: string, server: Args[2]) => upsertServer(agent, "holdfast", server) };
});

const PARSERS = {
  json: (written: string) => parseJsonc(written).value,
  jsonc: (written: string) => parseJsonc(written).value,
  toml: parseToml,
  yaml: parseYaml,
};

describe("add-mcp writes to the same file, under the same key, and nothing that we lack", () => {
  const clients = [...SAME, ...Object.keys(OTHER_NAMES)];
  // Claude Desktop only starts programs. The type that add-mcp gives a URL is not what Codex itself writes.
  const remote = clients.filter((client) => !["claude-desktop", "codex"].includes(client));

  it.each([
    ...clients.map((client) => ({ client, flags: [], server: { command: process.execPath } })),
    ...remote.map((client) => ({ client, flags: ["--http", URL], server: { type: "http" as const, url: URL } })),
  ])("$client: $server", async ({ client, flags, server }) => {
    const { root, site, install } = home();
    const { out } = await install(client, "--json", ...flags);
    const [{ file }] = JSON.parse(out).clients;
    const theirs = "url" in server ? server : { ...server, args: [BIN, site] };
    const agent = OTHER_NAMES[client] ?? client;
    const { root: other, upsert } = oracle();
    const { success, path } = upsert(agent, theirs);
    expect([success, path.replace(other, root)]).toEqual([true, file]);
    const parse = PARSERS[/\w+$/.exec(file)?.[0] as keyof typeof PARSERS];
    const written = (name: string): unknown => JSON.parse(JSON.stringify(parse(readFileSync(name, "utf8"))));
    expect(written(file)).toMatchObject(withoutEmpty(written(path)) as object);
  });
});

/** Leaves out empty objects and texts, which say nothing. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const full = Object.entries(value).filter(([, each]) => each !== "" && JSON.stringify(each) !== "{}");
  return Object.fromEntries(full.map(([key, each]) => [key, withoutEmpty(each)]));
}
