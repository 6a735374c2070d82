import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, lstatSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { needs } from "../programs.ts";
import { scratch, stateBeside, type Tree } from "../runtime/scratch.ts";
import { bareEnv, BIN, run } from "./bin.ts";

const CURSOR = ".cursor/mcp.json";
const BEFORE = '{\r\n\t// mine\r\n\t"mcpServers": {\r\n\t\t"memory": { "command": "npx" }\r\n\t}\r\n}';
const BROKEN = '{ "mcpServers": ';

/** A home with clients, and a project in it. */
function home(tree: Tree = {}) {
  const root = scratch({ "site/a.txt": "a", ...tree });
  const site = join(root, "site");
  const env = { HOME: root, HOLDFAST_STATE: stateBeside(root) };
  const holdfast = (args: readonly string[], more: Readonly<Record<string, string>> = {}, cwd = site) =>
    run(args, { cwd, env: { ...env, ...more } });
  return { root, site, env, holdfast, textOf: (name: string) => readFileSync(join(root, name), "utf8") };
}

describe("holdfast install", () => {
  it("adds an entry through the engine, and undo brings the file back to the byte", async () => {
    const { site, holdfast, textOf } = home({ [CURSOR]: BEFORE });
    const { code, out, err } = await holdfast(["install", "cursor"]);
    expect([code, err]).toEqual([0, ""]);
    const [, id = ""] =
      /^Cursor: .*mcp\.json changed; restart the client\. To take it back: holdfast undo (\w+)$/m.exec(out) ?? [];
    const { mcpServers } = JSON.parse(textOf(CURSOR).replace("// mine", ""));
    expect(mcpServers).toEqual({
      memory: { command: "npx" },
      holdfast: { command: process.execPath, args: [BIN, site] },
    });
    expect((await holdfast(["install", "cursor"])).out).toMatch(/mcp\.json needs no change$/m);
    expect((await holdfast(["undo", id])).code).toBe(0);
    expect(textOf(CURSOR)).toBe(BEFORE);
  });

  it("the command that it writes starts a server on that directory", async () => {
    const { holdfast, textOf } = home({ ".cursor": null });
    await holdfast(["install", "cursor", "--root", "."]);
    const { command, args } = JSON.parse(textOf(CURSOR)).mcpServers.holdfast;
    const server = spawn(command, args, { env: bareEnv(), stdio: ["pipe", "pipe", "ignore"] });
    onTestFinished(() => void server.kill());
    server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`);
    expect(JSON.parse(String((await once(server.stdout, "data"))[0]))).toMatchObject({ id: 1, result: {} });
  });

  it("passes the flags of a server on to it, so that it is as strict as was asked for", async () => {
    const { site, holdfast, textOf } = home({ ".cursor": null, "site/x.jsonc": "{}" });
    const flags = ["--exec", "full", "--read-only", "--agent", "bob", "--profile", "readonly", "--approval-wait", "0"];
    const { code, err } = await holdfast(["install", "cursor", ...flags, "--config", "x.jsonc", "--state", "../s"]);
    expect([code, err]).toEqual([0, ""]);
    const { args } = JSON.parse(textOf(CURSOR)).mcpServers.holdfast;
    expect(args.slice(0, 2)).toEqual([BIN, site]);
    const paths = [`--config=${join(site, "x.jsonc")}`, `--state=${join(dirname(site), "s")}`];
    const others = ["--exec=full", "--read-only", "--agent=bob", "--profile=readonly", "--approval-wait=0"];
    expect(new Set(args.slice(2))).toEqual(new Set([...others, ...paths]));
  });

  it.each([["--read-only"], ["--exec=full"], ["--config=x.jsonc"]])(
    "refuses %s with --http: a server that runs has flags of its own",
    async (flag) => {
      const { holdfast } = home({ "site/x.jsonc": "{}" });
      const { code, err } = await holdfast(["install", "cursor", "--http", "http://127.0.0.1:1/mcp", flag]);
      expect([code, err]).toEqual([2, expect.stringContaining(`${flag.split("=")[0]} and --http do not go together`)]);
    },
  );

  it("creates a missing file with its directories, and undo removes them", async () => {
    const { root, holdfast, textOf } = home();
    const { out } = await holdfast(["install", "windsurf", "--json"]);
    const [done] = JSON.parse(out).clients;
    expect(done).toMatchObject({
      client: "windsurf",
      changed: true,
      file: join(root, ".codeium/windsurf/mcp_config.json"),
    });
    expect(Object.keys(JSON.parse(textOf(".codeium/windsurf/mcp_config.json")).mcpServers)).toEqual(["holdfast"]);
    await holdfast(["undo", done.change_id]);
    expect(existsSync(join(root, ".codeium"))).toBe(false);
  });

  it("changes the file behind a link, and the link stays", async () => {
    const { root, holdfast, textOf } = home({ "dotfiles/mcp.json": "{}", [CURSOR]: { link: "../dotfiles/mcp.json" } });
    expect((await holdfast(["install", "cursor"])).code).toBe(0);
    expect(lstatSync(join(root, CURSOR)).isSymbolicLink()).toBe(true);
    expect(textOf("dotfiles/mcp.json")).toContain('"holdfast"');
  });

  it("keeps the mode of the file", async () => {
    const { root, holdfast } = home({ ".claude.json": "{}" });
    chmodSync(join(root, ".claude.json"), 0o600);
    await holdfast(["install", "claude-code"]);
    expect(statSync(join(root, ".claude.json")).mode & 0o777).toBe(0o600);
  });

  it("does what it can for all clients that are found, and says what it refused", async () => {
    const { holdfast, textOf } = home({ [CURSOR]: BROKEN, ".codex/config.toml": "# mine\n", ".gemini": null });
    const { code, out, err } = await holdfast(["install", "--all"]);
    expect(code).toBe(1);
    expect(out).toMatch(/^Codex: .* changed; [^]*^Gemini CLI: .* created; /m);
    expect(err).toMatch(/^holdfast: Cannot change .*mcp\.json: line 1: the file ends too early; put it right, or add /);
    expect([textOf(CURSOR), textOf(".codex/config.toml")]).toEqual([
      BROKEN,
      expect.stringMatching(/^# mine\n\n\[mcp_s/),
    ]);
  });

  it("shows a change without making it", async () => {
    const { holdfast, textOf } = home({ [CURSOR]: BEFORE });
    const { code, out } = await holdfast(["install", "cursor", "--dry-run"]);
    expect([code, textOf(CURSOR)]).toEqual([0, BEFORE]);
    expect(out).toMatch(
      /^Cursor: .* would change\n--- a\/mcp\.json\n\+\+\+ b\/mcp\.json\n@@ [^]*^\+\t\t"holdfast": \{/m,
    );
  });

  it("shows a file that it would create, as a patch without the token", async () => {
    const { root, holdfast } = home({ ".cursor": null });
    const { code, out } = await holdfast(["install", "cursor", "--dry-run"]);
    expect([code, existsSync(join(root, CURSOR))]).toEqual([0, false]);
    expect(out).toMatch(
      /^Cursor: .* would be created\n--- \/dev\/null\n\+\+\+ b\/mcp\.json\n@@ [^]*^\+ {4}"holdfast": \{/m,
    );
    const http = ["install", "cursor", "--dry-run", "--http", "http://127.0.0.1:3999/mcp"];
    const shown = await holdfast(http, { HOLDFAST_TOKEN: "t0ken-t0ken" });
    expect([shown.out.includes("Bearer ***"), shown.out.includes("t0ken-t0ken")]).toEqual([true, false]);
  });

  it("removes its entry, and only that", async () => {
    const { holdfast, textOf } = home({ [CURSOR]: BEFORE });
    await holdfast(["install", "cursor"]);
    expect((await holdfast(["install", "cursor", "--remove"])).code).toBe(0);
    expect(textOf(CURSOR)).toBe(BEFORE);
    expect((await holdfast(["install", "cursor", "--remove"])).out).toMatch(/needs no change$/m);
  });

  it("uses the files of a project, and another name", async () => {
    const { site, holdfast, textOf } = home({ "site/.vscode/settings.json": "{}" });
    const { code } = await holdfast(["install", "--all", "--project", "--name", "files"]);
    expect(code).toBe(0);
    expect(JSON.parse(textOf("site/.vscode/mcp.json"))).toEqual({
      servers: { files: { type: "stdio", command: process.execPath, args: [BIN, site] } },
    });
  });

  it("connects to a running server, with a token that only the user can read and that is never printed", async () => {
    const { root, holdfast, textOf } = home({ ".cursor": null });
    const args = ["install", "cursor", "--http", "http://127.0.0.1:3999/mcp"];
    const env = { HOLDFAST_TOKEN: "t0ken-t0ken" };
    const shown = await Promise.all(
      [
        [...args, "--dry-run"],
        [...args, "--print"],
      ].map((each) => holdfast(each, env)),
    );
    const { out } = await holdfast(args, env);
    expect(JSON.parse(textOf(CURSOR)).mcpServers.holdfast).toEqual({
      url: "http://127.0.0.1:3999/mcp",
      headers: { Authorization: "Bearer t0ken-t0ken" },
    });
    expect(statSync(join(root, CURSOR)).mode & 0o777).toBe(0o600);
    expect(shown.map(({ code }) => code)).toEqual([0, 0]);
    for (const text of [...shown.map((each) => each.out), out]) expect(text).not.toContain("t0ken-t0ken");
    const { code, err } = await holdfast([...args, "--project"], env);
    expect([code, err]).toEqual([2, expect.stringContaining("Cannot write a token into a project")]);
  });

  it("lists clients, and prints a block", async () => {
    const { site, holdfast } = home({ [CURSOR]: BROKEN, ".codex": null, ".claude.json": "{}" });
    await holdfast(["install", "claude-code"]);
    const { out } = await holdfast(["install", "--list"]);
    expect(out).toMatch(/^claude-code +Claude Code +installed +\S+\.claude\.json$/m);
    expect(out).toMatch(/^cursor +Cursor +unclear +Cannot change .*: line 1: /m);
    expect(out).toMatch(/^codex +Codex +found +\S+config\.toml$/m);
    expect(out).toMatch(/^zed +Zed +- +\S+settings\.json$/m);
    const { clients } = JSON.parse((await holdfast(["install", "--list", "--json"])).out);
    expect(clients).toContainEqual(expect.objectContaining({ client: "claude-code", found: true, installed: true }));
    const printed = await holdfast(["install", "--print", "codex"]);
    expect(printed).toEqual({
      code: 0,
      out: `[mcp_servers.holdfast]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify([BIN, site]).replace(",", ", ")}\n`,
      err: expect.stringMatching(/^Codex: \S+config\.toml\n$/),
    });
  });

  it.each([
    {
      args: [],
      says: /^Cannot install: name the clients, or use --all; holdfast install --list shows them; example: /,
    },
    { args: ["curso"], says: 'Cannot install into "curso": there is no such client; did you mean "cursor"?' },
    { args: ["cursor", "--all"], says: /give clients or --all, not both/ },
    { args: ["--list", "--print"], says: /give one of --list, --print and --remove/ },
    { args: ["--list", "cursor"], says: /--list takes nothing else/ },
    { args: ["--print"], says: /--print takes the clients to print for/ },
    { args: ["cursor", "--http", "x"], says: /--http "x": give a URL such as http/ },
    { args: ["cursor", "--http", "http://a/", "--root", "."], says: /--root and --http do not go together/ },
    { args: ["cursor", "--root", "none"], says: /Cannot install with none: it is no directory/ },
    {
      args: ["--print", "windsurf", "--project"],
      says: /Cannot install into Windsurf for a project: it has no such file/,
    },
  ])("refuses $args", async ({ args, says }) => {
    const { code, out, err } = await home().holdfast(["install", ...args]);
    expect([code, out]).toEqual([2, ""]);
    expect(
      err
        .replace("holdfast: ", "")
        .replace(/^Windsurf.*\n/, "")
        .trimEnd(),
    ).toMatch(says);
  });

  it("does not give an agent the whole home because somebody was in it", async () => {
    const { root, holdfast } = home();
    const { code, err } = await holdfast(["install", "cursor"], {}, root);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/Cannot install for all of \S+: name the directory .* --root/),
    ]);
  });

  it("obeys the operator: nothing is written where everything is read-only", async () => {
    const { holdfast, textOf } = home({ [CURSOR]: BEFORE });
    const { code, err } = await holdfast(["install", "cursor"], { HOLDFAST_READ_ONLY: "on" });
    expect([code, err, textOf(CURSOR)]).toEqual([1, expect.stringMatching(/^holdfast: Cannot /), BEFORE]);
  });
});

const SHOWN = /1 +cursor +Cursor +found[^]*would change[^]*\+\t\t"holdfast": \{[^]*Write this\?/;

describe("on a terminal", () => {
  it.each([
    { name: "after a yes", answers: ["1", "", "y"], shows: SHOWN, isWritten: true },
    {
      name: "not after a no",
      answers: ["cursor", "", "n"],
      shows: new RegExp(`${SHOWN.source}[^]*Nothing was written`),
      isWritten: false,
    },
    { name: "not after q", answers: ["nonsense", "q"], shows: /1 +cursor +Cursor +found/, isWritten: false },
  ])("asks, shows the change and writes $name", async ({ answers, shows, isWritten }) => {
    needs("script");
    const { site, env, textOf } = home({ [CURSOR]: BEFORE });
    const child = spawn("script", ["-qec", `${process.execPath} ${BIN} install`, "/dev/null"], {
      cwd: site,
      env: bareEnv(env),
    });
    let screen = "";
    const left = [...answers];
    child.stdout.on("data", (chunk) => {
      screen += chunk;
      if (/(?:quit|\]): $|\[y\/N\] $/.test(screen) && left.length > 0) {
        screen += "\n";
        child.stdin.write(`${left.shift()}\n`);
      }
    });
    const [code] = await once(child, "close");
    expect([code, left]).toEqual([0, []]);
    expect(screen).toMatch(shows);
    expect(textOf(CURSOR) !== BEFORE).toBe(isWritten);
  });
});
