import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { fileOf, isFound } from "../../../src/faces/cli/install/client-places.ts";
import { directoriesOf } from "../../../src/faces/cli/install/directories.ts";
import { type Client, CLIENTS } from "../../../src/faces/cli/install/clients.ts";
import type { Connection } from "../../../src/faces/cli/install/entries.ts";
import { configBlock, planInstall, planRemoval } from "../../../src/faces/cli/install/plan.ts";
import { scratch } from "../../runtime/scratch.ts";

const STDIO: Connection = { kind: "stdio", command: "/usr/bin/node", args: ["/opt/holdfast.cjs", "/home/ada/site"] };
const HTTP: Connection = {
  kind: "http",
  url: "http://127.0.0.1:3999/mcp",
  headers: { Authorization: "Bearer t0ken" },
};

const ALL = Object.entries(CLIENTS).map(([id, client]) => ({ id, client }));
const golden = (id: string, name: string): string => join(import.meta.dirname, "golden", id, `${name}.txt`);

/** Rewrites a file as another machine would have it. */
const STYLES: readonly { readonly style: string; readonly as: (text: string) => string }[] = [
  { style: "as it is", as: (text) => text },
  { style: "with CRLF", as: (text) => text.replaceAll("\n", "\r\n") },
  { style: "with a byte-order mark", as: (text) => `\uFEFF${text}` },
  { style: "with CRLF and a byte-order mark", as: (text) => `\uFEFF${text.replaceAll("\n", "\r\n")}` },
];

/** Returns the text of a file after a plan, whether it exists or not. */
function planned(client: Client, before: string | undefined, connection: Connection): string | undefined {
  const file = join(scratch(), "config");
  if (before !== undefined) writeFileSync(file, before);
  return planInstall(client, file, "holdfast", connection).after;
}

describe.each(ALL)("$id", ({ id, client }) => {
  const before = readFileSync(golden(id, "before"), "utf8");

  it("gets an entry that starts us, and nothing else is touched", async () => {
    await expect(planned(client, before, STDIO)).toMatchFileSnapshot(golden(id, "stdio"));
  });

  it.each(STYLES)("keeps a file $style", ({ as }) => {
    const stdio = readFileSync(golden(id, "stdio"), "utf8");
    expect(planned(client, as(before), STDIO)).toBe(as(stdio));
    const file = join(scratch(), "config");
    writeFileSync(file, as(stdio));
    expect(planRemoval(client, file, "holdfast").after?.replace(/\{\s*\}/, "{}")).toBe(as(removedFrom(id, before)));
  });

  it("gets the same block in a missing and in an empty file", () => {
    const block = configBlock(client, "holdfast", STDIO);
    expect([planned(client, undefined, STDIO), planned(client, "", STDIO)]).toEqual([block, block]);
  });

  it("needs no change when it is installed, and follows another directory", () => {
    const stdio = readFileSync(golden(id, "stdio"), "utf8");
    expect(planned(client, stdio, STDIO)).toBeUndefined();
    const elsewhere = { ...STDIO, args: ["/opt/holdfast.cjs", "/home/ada/other"] };
    expect(planned(client, stdio, elsewhere)).toBe(
      stdio.replace(/("\/opt\/holdfast.cjs",\s*)"\/home\/ada\/site"/, '$1"/home/ada/other"'),
    );
  });

  it("refuses an entry of the same name that is not ours", () => {
    const other = configBlock(client, "holdfast", { ...STDIO, command: "/usr/bin/ship", args: ["anchor"] });
    const says = /the entry holdfast does not start holdfast; rename it, or choose another name with --name$/;
    expect(() => planned(client, other, STDIO)).toThrow(says);
  });
});

const REMOTE = ALL.filter(({ client }) => client.shape.http);

it.each(REMOTE)("$id gets an entry that reaches a server", async ({ id, client }) => {
  const before = readFileSync(golden(id, "before"), "utf8");
  await expect(planned(client, before, HTTP)).toMatchFileSnapshot(golden(id, "http"));
});

it.each(ALL.filter((each) => !REMOTE.includes(each)))("$id says that it cannot reach a server", ({ client }) => {
  expect(() => planned(client, "", HTTP)).toThrow(/starts programs only; leave out --http$/);
});

/** The file without our entry: where it had no servers at all, the empty list of them stays. */
function removedFrom(id: string, before: string): string {
  const left: Readonly<Record<string, string>> = {
    gemini: before.replace("} // as it was", '}, // as it was\n  "mcpServers": {}'),
    kilo: before.replace('"kilo/auto"', '"kilo/auto",\n  "mcp": {}'),
    "cline-cli": '{\n  "mcpServers": {}\n}\n',
  };
  return left[id] ?? before;
}

describe("the newer layout of opencode", () => {
  const { opencode } = CLIENTS as { readonly opencode: Client };

  it.each([
    {
      name: "where the file has it",
      before: '{ "mcp": { "servers": { "a": {} } } }',
      after: /"servers": \{ "a": \{\}, "holdfast": \{"type":"local","command":\[[^\]]*\]\} \} \} \}$/,
    },
    {
      name: "not where a server has that name",
      before: '{ "mcp": { "servers": { "type": "local", "command": ["x"] } } }',
      after: /"command": \["x"\] \}, "holdfast": \{"type":"local","command":\[[^\]]*\],"enabled":true\} \} \}$/,
    },
  ])("$name", ({ before, after }) => {
    expect(planned(opencode, before, STDIO)).toMatch(after);
  });
});

describe("a file that is unclear", () => {
  const { cursor } = CLIENTS as { readonly cursor: Client };

  it.each([
    {
      name: "broken",
      before: '{ "mcpServers": {',
      says: /: line 1: the file ends too early; put it right, or add the block that --print/,
    },
    { name: "of another form", before: '{ "mcpServers": [] }', says: /: mcpServers is not an object; put it right/ },
    {
      name: "not UTF-8",
      before: Buffer.from('{ "a": "\u00FC" }', "latin1"),
      says: /: it is not text in UTF-8; put it right/,
    },
    { name: "in UTF-16", before: Buffer.from("\uFEFF{}", "utf16le"), says: /: it is not text in UTF-8; put it right/ },
    {
      name: "with settings that somebody added to our entry",
      before:
        '{ "mcpServers": { "holdfast": { "command": "holdfast", "args": [], "env": { "A": "1" }, "timeout": 9 } } }',
      says: /: the entry holdfast also sets env, timeout; change it by hand, or use --remove first$/,
    },
  ])("is refused: $name", ({ before, says }) => {
    const file = join(scratch(), "mcp.json");
    writeFileSync(file, before);
    expect(() => planInstall(cursor, file, "holdfast", STDIO)).toThrow(says);
    expect(readFileSync(file)).toEqual(Buffer.from(before));
  });

  it("is refused: a directory", () => {
    expect(() => planInstall(cursor, scratch(), "holdfast", STDIO)).toThrow(/: it cannot be read \(EISDIR\)/);
  });
});

describe("places", () => {
  const LINUX = { HOME: "/home/ada" };

  it.each([
    { id: "codex", env: { ...LINUX, CODEX_HOME: "/x" }, platform: "linux", file: "/x/config.toml" },
    { id: "codex", env: LINUX, platform: "linux", file: "/home/ada/.codex/config.toml" },
    { id: "vscode", env: LINUX, platform: "linux", file: "/home/ada/.config/Code/User/mcp.json" },
    { id: "vscode", env: { ...LINUX, XDG_CONFIG_HOME: "/c" }, platform: "linux", file: "/c/Code/User/mcp.json" },
    { id: "vscode", env: LINUX, platform: "darwin", file: "/home/ada/Library/Application Support/Code/User/mcp.json" },
    { id: "zed", env: LINUX, platform: "darwin", file: "/home/ada/Library/Application Support/Zed/settings.json" },
    { id: "goose", env: LINUX, platform: "darwin", file: "/home/ada/.config/goose/config.yaml" },
  ] as const)("$id on $platform with $env", ({ id, env, platform, file }) => {
    expect(fileOf(CLIENTS[id] as Client, directoriesOf(env, platform), undefined)).toBe(file);
  });

  it("an existing file of an older version counts, and shows that the client is there", () => {
    const home = scratch();
    const at = directoriesOf({ HOME: home });
    const { "lm-studio": client } = CLIENTS as { readonly "lm-studio": Client };
    expect([fileOf(client, at, undefined), isFound(client, at, undefined)]).toEqual([
      join(home, ".lmstudio/mcp.json"),
      false,
    ]);
    const old = join(home, ".cache/lm-studio/mcp.json");
    mkdirSync(dirname(old), { recursive: true });
    expect(isFound(client, at, undefined)).toBe(true);
    writeFileSync(old, "{}");
    expect(fileOf(client, at, undefined)).toBe(old);
  });

  it("no client is found in an empty home, and none in an empty project", () => {
    const home = scratch({ ".config": null });
    const found = (project?: string) =>
      ALL.filter(({ client }) => isFound(client, directoriesOf({ HOME: home }), project));
    expect([found(), found(home)]).toEqual([[], []]);
  });
});
