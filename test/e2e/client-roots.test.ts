import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { scratch, stateBeside } from "../runtime/scratch.ts";
import { WHILE_BUSY } from "../work.ts";
import { bareEnv, BIN, ERAS, run } from "./bin.ts";
import { INITIALIZE, META, openWire, toolCall } from "./wire.ts";

/** Directories a, a/in, b and c beside each other, each with a file that holds its name. */
function places() {
  const home = dirname(scratch());
  const at = (name: string) => join(home, name);
  for (const name of ["a", "a/in", "b", "c"]) {
    mkdirSync(at(name));
    writeFileSync(join(at(name), "f"), name);
  }
  return { at, state: stateBeside(join(home, "root")) };
}

type Places = ReturnType<typeof places>;

interface Directories {
  readonly args: readonly string[];
  /** Roots that the client offers; undefined when it does not support roots. */
  readonly roots: readonly string[] | undefined;
}

/** The official client with its roots, which a test may change. */
async function connect({ at, state }: Places, { args, roots }: Directories, options: object) {
  const offered = { roots };
  const client = new Client(
    { name: "roots", version: "1" },
    { ...options, capabilities: roots ? { roots: { listChanged: true } } : {} },
  );
  const list = () => ({ roots: (offered.roots ?? []).map((name) => ({ uri: uriOf(name, at) })) });
  if (roots) client.setRequestHandler("roots/list", list);
  onTestFinished(() => client.close());
  const directories = args.map((word) =>
    ["--roots", "--read-only", "replace", "intersect"].includes(word) ? word : at(word),
  );
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [BIN, "--dialect", "mcp-filesystem", ...directories],
      env: bareEnv({ HOLDFAST_STATE: state }),
      stderr: "pipe",
    }),
  );
  return { client, offered };
}

/** The same with any words, and what it says on standard error. */
async function connectWith(words: readonly string[], { state }: Places, roots: readonly string[]) {
  const client = new Client({ name: "roots", version: "1" }, { capabilities: { roots: {} } });
  client.setRequestHandler("roots/list", () => ({ roots: roots.map((root) => ({ uri: pathToFileURL(root).href })) }));
  onTestFinished(() => client.close());
  const env = bareEnv({ HOLDFAST_STATE: state });
  const transport = new StdioClientTransport({ command: process.execPath, args: [BIN, ...words], env, stderr: "pipe" });
  let errors = "";
  transport.stderr?.on("data", (chunk) => (errors += String(chunk)));
  await client.connect(transport);
  return { client, errors: () => errors };
}

const uriOf = (name: string, at: Places["at"]): string => (name.includes(":") ? name : pathToFileURL(at(name)).href);

const textOf = async (client: Client, name: string, input: Record<string, unknown> = {}): Promise<string> => {
  const { content } = await client.callTool({ name, arguments: input });
  return content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
};

const allowed = async (client: Client, { at }: Places): Promise<readonly string[]> => {
  const [, ...names] = (await textOf(client, "list_allowed_directories")).split("\n");
  return names.map((name) => name.replace(`${dirname(at("a"))}/`, ""));
};

const STRICT = ["--roots", "intersect"];

/** Both ways to ask: before 2026, and since. */
describe.each(ERAS.slice(-2))("$era", ({ era, options }) => {
  it.each<Directories & { readonly name: string; readonly serves: readonly string[] }>([
    { name: "directories alone", args: ["a", "b"], roots: undefined, serves: ["a", "b"] },
    { name: "a client that offers nothing", args: ["a"], roots: [], serves: ["a"] },
    { name: "roots alone", args: [], roots: ["b", "c"], serves: ["b", "c"] },
    { name: "roots in place of directories", args: ["a", "b"], roots: ["b", "c"], serves: ["b", "c"] },
    { name: "something inside a directory", args: ["a"], roots: ["a/in"], serves: ["a/in"] },
    { name: "something around a directory", args: ["a/in"], roots: ["a"], serves: ["a"] },
    { name: "bad roots", args: ["a"], roots: ["none"], serves: ["a"] },
    { name: "a choice among the directories", args: [...STRICT, "a", "b"], roots: ["b", "c"], serves: ["b"] },
    { name: "a choice inside a directory", args: [...STRICT, "a"], roots: ["a/in"], serves: ["a/in"] },
    { name: "a choice around a directory", args: [...STRICT, "a/in"], roots: ["a"], serves: ["a/in"] },
    { name: "roots that are no directories", args: ["a"], roots: ["https://a.example", "a"], serves: ["a"] },
    { name: "other roots in place of directories", args: ["--roots", "replace", "a"], roots: ["c"], serves: ["c"] },
    { name: "bad roots in place of directories", args: ["--roots", "replace", "a"], roots: ["none"], serves: ["a"] },
    { name: "roots in place of bad directories", args: ["--roots", "replace", "none"], roots: ["c"], serves: ["c"] },
    { name: "a directory that is not there", args: ["none", "b"], roots: undefined, serves: ["b"] },
  ])("serves $name", async ({ serves, ...said }) => {
    const here = places();
    const { client } = await connect(here, said, options);
    expect(client.getNegotiatedProtocolVersion()).toBe(era);
    expect(await allowed(client, here)).toEqual(serves);
    const files = ["a", "a/in", "b", "c"].map((name) =>
      textOf(client, "read_text_file", { path: join(here.at(name), "f") }),
    );
    const read = (await Promise.all(files)).filter((text) => !text.startsWith("Access denied - path outside"));
    expect(read).toEqual(
      ["a", "a/in", "b", "c"].filter((name) => serves.some((each) => `${name}/`.startsWith(`${each}/`))),
    );
  });

  it("serves nothing when the roots share nothing with the directories", async () => {
    const here = places();
    const { client } = await connect(here, { args: [...STRICT, "a"], roots: ["c"] }, options);
    const path = join(here.at("a"), "f");
    expect(await textOf(client, "read_text_file", { path })).toMatch(
      /^Access denied - no allowed directories: .*--roots intersect/,
    );
    expect(await textOf(client, "write_file", { path, content: "x" })).toMatch(
      /^Access denied - no allowed directories/,
    );
  });

  it("serves nothing without directories and roots, and says what to do", async () => {
    const { client } = await connect(places(), { args: [], roots: [] }, options);
    expect((await client.listTools()).tools).toHaveLength(14);
    expect(await textOf(client, "list_allowed_directories")).toMatch(
      /^Cannot serve without a directory: .* start the server/,
    );
  });

  it("lists nothing that may not be used, also before there is a directory", async () => {
    const { client } = await connect(places(), { args: ["--read-only"], roots: ["a"] }, options);
    const { tools } = await client.listTools();
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
    expect(tools).toHaveLength(10);
  });

  it.each([{ args: [] }, { args: ["--roots", "replace", "a"] }])(
    "keeps to what a workspace says that only the client named: $args",
    async ({ args }) => {
      const here = places();
      const rules = [{ act: "read", path: "f", decide: "blocked", reason: "it is closed" }];
      writeFileSync(join(here.at("c"), ".holdfast.jsonc"), JSON.stringify({ policy: { rules } }));
      const { client } = await connect(here, { args, roots: ["c"] }, options);
      expect(await textOf(client, "read_text_file", { path: join(here.at("c"), "f") })).toContain("it is closed");
    },
  );

  it("goes with the roots when they change, and keeps one history", async () => {
    const here = places();
    const { client, offered } = await connect(here, { args: [...STRICT, "a", "b"], roots: ["a"] }, options);
    const path = join(here.at("b"), "new");
    expect(await textOf(client, "write_file", { path, content: "x" })).toMatch(/^Access denied - path outside/);
    offered.roots = ["b"];
    if (!era.startsWith("2026")) await client.notification({ method: "notifications/roots/list_changed" });
    await vi.waitFor(async () => expect(await allowed(client, here)).toEqual(["b"]), WHILE_BUSY);
    expect(await textOf(client, "write_file", { path, content: "x" })).toBe(`Successfully wrote to ${path}`);
    const args = ["history", "--root", here.at("a"), "--root", here.at("b"), "--state", here.state];
    expect((await run(args)).out).toContain(path);
  });
});

it("tells of roots that replace directories, and keeps what is closed closed in them", async () => {
  const here = places();
  const config = join(here.at("b"), "operator.jsonc");
  const rules = [{ act: "read", path: join(here.at("c"), "f"), decide: "blocked", reason: "the operator closed it" }];
  writeFileSync(config, JSON.stringify({ policy: { rules } }));
  const words = ["--dialect", "mcp-filesystem", "--config", config, here.at("a")];
  const { client, errors } = await connectWith(words, here, [dirname(here.at("a"))]);
  const path = join(here.at("b"), "f");
  expect(await textOf(client, "write_file", { path, content: "x" })).toBe(`Successfully wrote to ${path}`);
  expect(await textOf(client, "read_text_file", { path: join(here.at("c"), "f") })).toContain("the operator closed it");
  expect(await textOf(client, "write_file", { path: config, content: "{}" })).toMatch(/^Access denied/);
  expect(await textOf(client, "write_file", { path: join(here.state, "x"), content: "" })).toMatch(/^Access denied/);
  await vi.waitFor(() => expect(errors()).toMatch(/^Secure MCP Filesystem Server running on stdio$/m), WHILE_BUSY);
  expect(errors()).toMatch(/^Updated allowed directories from MCP roots: 1 valid directories$/m);
  const notice = `\nholdfast: The client named its roots; "${dirname(here.at("a"))}" in place of "${here.at("a")}"\n`;
  expect(errors()).toContain(notice);
  await client.close();
  const { out } = await run(["audit", "show", "--root", here.at("a"), "--state", here.state, "--json"]);
  expect(out).toContain('"client_roots"');
});

it("does not follow a link from one root of the client to a directory that it did not choose", async () => {
  const here = places();
  const { client } = await connect(here, { args: ["a", "b"], roots: ["a"] }, {});
  symlinkSync(here.at("b"), join(here.at("a"), "way"));
  for (const [tool, more] of [
    ["read_text_file", {}],
    ["write_file", { content: "x" }],
    ["edit_file", { edits: [{ oldText: "b", newText: "x" }] }],
  ] as const) {
    const text = await textOf(client, tool, { path: join(here.at("a"), "way/f"), ...more });
    expect(text).toMatch(/^Access denied/);
  }
});

it("ends with 1 when no directory can be used, whatever the client offers", async () => {
  const { code, err } = await run(["--dialect", "mcp-filesystem", "/none/such"]);
  expect([code, err.split("\n")]).toEqual([
    1,
    [
      "Warning: Cannot access directory /none/such, skipping",
      "Error: None of the specified directories are accessible",
      expect.stringMatching(/^holdfast: Cannot start without a directory: none can be used/),
      "",
    ],
  ]);
});

it("skips directories in the words of the server that it stands for, and no name can forge a line", async () => {
  const here = places();
  const words = [here.at("a"), "/none/such", join(here.at("a"), "f"), "/none/\nError: forged"];
  const { err } = await run(["--dialect", "mcp-filesystem", ...words], { env: { HOLDFAST_STATE: here.state } });
  expect(err.split("\n")).toEqual([
    "Warning: Cannot access directory /none/such, skipping",
    `Warning: ${join(here.at("a"), "f")} is not a directory, skipping`,
    "Warning: Cannot access directory /none/\\nError: forged, skipping",
    "Secure MCP Filesystem Server running on stdio",
    "",
  ]);
});

it("ends with 1 when there is no directory and the client knows no roots", async () => {
  const { state } = places();
  const wire = openWire("--dialect", { args: ["mcp-filesystem"], env: { HOLDFAST_STATE: state } });
  wire.say(INITIALIZE);
  expect(await wire.answer("initialize")).toMatchObject({ error: { message: expect.stringMatching(/^Cannot serve/) } });
  expect(await wire.end()).toBe(1);
  expect(wire.errors()).toContain("Cannot serve without a directory");
});

it("answers a client of 2026 that knows no roots with the reason", async () => {
  const { state } = places();
  const wire = openWire("--dialect", { args: ["mcp-filesystem"], env: { HOLDFAST_STATE: state } });
  wire.say(toolCall(1, "list_allowed_directories", {}, { _meta: META }));
  expect(await wire.answer(1)).toMatchObject({ result: { isError: true } });
});
