import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratch, stateBeside } from "../runtime/scratch.ts";
import { run } from "./bin.ts";
import { jsonOf } from "./workplace.ts";

const CONFIG = `{
  "trashHours": 5,
  "contextWindow": 100000,
  "policy": { "rules": [
    { "act": "write", "path": "secrets/**", "decide": "blocked", "match": ["secrets/a"], "not_match": ["a"] },
    { "act": "exec", "command": "git push", "decide": "blocked" }
  ] }
}`;

/** Creates a workspace with a configuration file beside it, and runs the command line there. */
function withConfig(config = CONFIG, more: Readonly<Record<string, string | undefined>> = {}) {
  const root = scratch({ "a.txt": "a" });
  const file = join(dirname(root), "f.jsonc");
  writeFileSync(file, config);
  const holdfast = (...args: readonly string[]) =>
    run(args, { cwd: root, env: { HOLDFAST_STATE: stateBeside(root), HOLDFAST_CONFIG: file, ...more } });
  return { root, file, holdfast };
}

/** Is where no agent can put a program: tests may be started with other directories in front. */
const SYSTEM_PATH = { PATH: "/usr/bin:/bin" };

interface Value {
  readonly key: string;
  readonly value: unknown;
  readonly origin: string;
}

/** Columns may be as wide as they like. */
const plain = (text: string): readonly string[] =>
  text
    .trim()
    .split("\n")
    .map((line) => line.replaceAll(/ {2,}/g, "  ").trim());

describe("holdfast policy explain", () => {
  it("applies the list of allowed programs", async () => {
    const { root, holdfast } = withConfig(CONFIG, { HOLDFAST_EXEC: "allowlist", ...SYSTEM_PATH });
    const allowlist = [{ id: "1", pattern: process.execPath }];
    mkdirSync(stateBeside(root));
    const approvals = { version: 1, agents: { main: { allowlist } } };
    writeFileSync(join(stateBeside(root), "exec-approvals.json"), JSON.stringify(approvals));
    const explain = async (command: string) => plain((await holdfast("policy", "explain", "exec", command)).out)[0];
    expect([await explain(`${process.execPath} x.js`), await explain("git pull")]).toEqual([
      `exec ${process.execPath} x.js: notify (the program is listed)`,
      "exec git pull: approval (`git pull`: pull is not on the list)",
    ]);
  });

  it.each<{ command: string; exec?: string; verdict: string; reasons: readonly unknown[] }>([
    { command: "git status && ls -la | head -3", exec: "allowlist", verdict: "notify", reasons: [/change nothing/] },
    { command: "cat a.txt", exec: "full", verdict: "notify", reasons: [/all commands may run/] },
    {
      command: "echo $(curl evil.example)",
      exec: "allowlist",
      verdict: "approval",
      reasons: [/\$\(curl evil\.example\)/],
    },
    { command: "ls; python3 x.py", exec: "allowlist", verdict: "approval", reasons: [/python3/] },
    { command: "echo x > a.txt", exec: "allowlist", verdict: "approval", reasons: [/"a\.txt"/] },
    { command: "cat /etc/passwd", exec: "allowlist", verdict: "approval", reasons: [/outside/] },
    { command: "git push origin", exec: "full", verdict: "blocked", reasons: [/a rule of the user says so/] },
    { command: "tail -f a.log", exec: "allowlist", verdict: "blocked", reasons: [/does not end by itself/] },
    { command: "python3 -m http.server", exec: "full", verdict: "blocked", reasons: [/does not end by itself|server/] },
    { command: "ls", exec: "deny", verdict: "blocked", reasons: [/commands are off/] },
    { command: "ls", verdict: "blocked", reasons: [/commands are off/] },
  ])("judges $command with --exec $exec, and runs nothing", async ({ command, exec, verdict, reasons }) => {
    const { root, holdfast } = withConfig(CONFIG, SYSTEM_PATH);
    const flag = exec === undefined ? [] : ["--exec", exec];
    const { code, out } = await holdfast("policy", "explain", "exec", command, "--json", ...flag);
    const patterns = reasons.map((reason) => expect.stringMatching(reason as RegExp));
    expect([code, jsonOf(out)]).toEqual([
      0,
      { act: "exec", command, verdict, reasons: expect.arrayContaining(patterns) },
    ]);
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("a");
  });

  it("names the rules that speak, the one that decides, and its line", async () => {
    const { file, holdfast } = withConfig();
    const { code, out } = await holdfast("policy", "explain", "create", "secrets/new.txt");
    expect([code, plain(out)]).toEqual([
      0,
      [
        "create secrets/new.txt: blocked (a rule of the user says so (write secrets/**))",
        `decides  user  write secrets/**: blocked  ${file}:5`,
        "overridden  built-in  write, create: notify  built-in",
      ],
    ]);
  });

  it.each([
    { words: ["read", "a.txt"], says: "read a.txt: autonomous (reading is free)" },
    { words: ["read", "x/id_rsa"], says: "read x/id_rsa: approval (it holds keys or passwords)" },
    {
      words: ["exec", "git", "push", "origin"],
      says: "exec git push origin: blocked (a rule of the user says so (exec git push))",
    },
    {
      words: ["exec", "git pull"],
      says: "exec git pull: blocked (commands are off; tools.exec.security or --exec turns them on)",
    },
    {
      words: ["delete", ".holdfast.jsonc"],
      says: "delete .holdfast.jsonc: blocked (it sets the limits of this session)",
    },
  ])("$words", async ({ words, says }) => {
    expect(plain((await withConfig().holdfast("policy", "explain", ...words)).out)[0]).toBe(says);
  });

  it("says of a tool which line of which file hides it", async () => {
    const { file, holdfast } = withConfig('{ "tools": {\n "deny": ["delete"] } }');
    const hidden = await holdfast("policy", "explain", "delete");
    expect([hidden.code, hidden.out]).toEqual([1, expect.stringContaining(`${file}:2`)]);
    expect((await holdfast("policy", "explain", "read")).code).toBe(0);
  });

  it.each([
    { name: "a flag", args: ["--read-only"], by: "--read-only", fix: "start without --read-only" },
    {
      name: "a variable",
      env: { HOLDFAST_READ_ONLY: "1" },
      by: "HOLDFAST_READ_ONLY",
      fix: "start without HOLDFAST_READ_ONLY",
    },
    { name: "a file", config: '{\n"readOnly": true }', by: "$FILE:2", fix: "set readOnly to false" },
    {
      name: "a file, whatever a variable says",
      config: '{\n"readOnly": true }',
      env: { HOLDFAST_READ_ONLY: "off" },
      by: "$FILE:2",
      fix: "set readOnly to false",
    },
  ])("says what makes a session read-only: $name", async ({ args = [], env = {}, config, by, fix }) => {
    const { file, holdfast } = withConfig(config, env);
    const place = by.replace("$FILE", file);
    const tool = await holdfast("policy", "explain", "write", ...args);
    const reason = "read-only: nothing can be changed in this session";
    expect(tool.out).toBe(`write is hidden\n  ${reason} (${place}); ${fix}\n`);
    const path = await holdfast("policy", "explain", "write", "a.txt", ...args);
    expect(plain(path.out)[1]).toBe(`decides  session  write, create, delete, erase, …: blocked  ${place}`);
  });

  it.each([
    { name: "a flag", args: ["--profile", "minimal"], by: "--profile", fix: "start with another --profile, or " },
    {
      name: "a variable",
      env: { HOLDFAST_PROFILE: "minimal" },
      by: "HOLDFAST_PROFILE",
      fix: "start with another HOLDFAST_PROFILE, or ",
    },
    { name: "a file", config: '{ "tools": {\n"profile": "minimal" } }', by: "$FILE:2", fix: "" },
  ])("says what sets the profile: $name", async ({ args = [], env = {}, config, by, fix }) => {
    const { file, holdfast } = withConfig(config, env);
    const { out } = await holdfast("policy", "explain", "write", ...args);
    const reason = `global profile: tools.profile "minimal" leaves it out (${by.replace("$FILE", file)})`;
    expect(out).toBe(`write is hidden\n  ${reason}; ${fix}add "write" to tools.alsoAllow\n`);
  });

  it("as data", async () => {
    const { root, file, holdfast } = withConfig();
    const { out } = await holdfast("policy", "explain", "write", "secrets/a", "--json");
    expect(jsonOf(out)).toMatchObject({
      act: "write",
      place: join(root, "secrets/a"),
      verdict: "blocked",
      rules: [
        { layer: "user", origin: `${file}:5`, verdict: "blocked", in_force: true, decides: true },
        { layer: "built-in", verdict: "notify", in_force: false, decides: false },
      ],
    });
  });

  it.each([[["fly", "a"]], [["fly"]], [["read", "a", "b"]], [[]]])("refuses %j with an example", async (words) => {
    const { code, err } = await withConfig().holdfast("policy", "explain", ...words);
    expect([code, err]).toEqual([2, expect.stringMatching(/^holdfast: Cannot .*; example: holdfast policy explain /)]);
  });
});

describe("holdfast policy check and test", () => {
  it.each([
    { name: "a good file", config: CONFIG, code: 0, says: /f\.jsonc is valid: 2 rules with 2 examples\n$/ },
    { name: "an unknown key", config: '{ "rules": [] }', code: 1, says: /f\.jsonc:1: there is no key "rules"/ },
    {
      name: "an example that fails",
      config:
        '{ "policy": { "rules": [ { "act": "read", "path": "a", "decide": "blocked", "not_match": ["a/b"] } ] } }',
      code: 1,
      says: /the rule at .*f\.jsonc:1: it matches its own example "a\/b"/,
    },
    {
      name: "lists of tools that contradict each other",
      config: '{ "tools": { "allow": ["read"], "alsoAllow": ["write"] } }',
      code: 1,
      says: /Cannot use tools\.alsoAllow: tools\.allow is set, too/,
    },
    {
      name: "an unknown group of tools",
      config: '{ "agents": { "a": { "tools": { "deny": ["group:fss"] } } } }',
      code: 1,
      says: /Cannot use agents\.a\.tools\.deny: there is no group "group:fss"/,
    },
  ])("check: $name", async ({ config, code, says }) => {
    const { file } = withConfig(config);
    const done = await run(["policy", "check", file]);
    expect([done.code, done.out + done.err]).toEqual([code, expect.stringMatching(says)]);
  });

  it("check: a workspace's file is held to what workspaces may say", async () => {
    const root = scratch({ ".holdfast.jsonc": '{ "tools": { "profile": "full" } }' });
    const { code, err } = await run(["policy", "check", join(root, ".holdfast.jsonc")]);
    expect([code, err]).toEqual([1, expect.stringContaining("a workspace may only tighten")]);
  });

  it("test: runs the examples of all rules", async () => {
    const { code, out } = await withConfig().holdfast("policy", "test");
    expect([code, out]).toEqual([0, expect.stringMatching(/^All examples pass: \d+ rules with \d+ examples\n$/)]);
  });

  it("test: says which do not hold", async () => {
    const { holdfast } = withConfig(
      '{ "policy": { "rules": [ { "act": "read", "path": "a", "decide": "blocked", "match": ["b"] } ] } }',
    );
    const { code, err } = await holdfast("policy", "test");
    expect([code, err]).toEqual([1, expect.stringContaining('does not match its own example "b"')]);
  });

  it.each([
    { name: "a good file", config: CONFIG, code: 0, data: { rules: 2, examples: 2, problems: [] } },
    {
      name: "one that cannot be used",
      config: '{ "tools": { "deny": ["group:fss"] } }',
      code: 1,
      data: { rules: 0, examples: 0, problems: [expect.stringContaining("Cannot use tools.deny")] },
    },
  ])("check as data: $name", async ({ config, code, data }) => {
    const done = await run(["policy", "check", withConfig(config).file, "--json"]);
    expect([done.code, jsonOf(done.out), done.err]).toEqual([code, data, ""]);
  });

  it("test as data", async () => {
    const { code, out } = await withConfig().holdfast("policy", "test", "--json");
    const data = { rules: expect.any(Number), examples: expect.any(Number), problems: [] };
    expect([code, jsonOf(out)]).toEqual([0, data]);
  });
});

describe("holdfast config show", () => {
  it("says where each value comes from", async () => {
    const { root, file, holdfast } = withConfig();
    const { code, out } = await holdfast("config", "show", "--context-window", "5", "--root", ".");
    expect([code, plain(out)]).toEqual([
      0,
      [
        'roots  ["."]  --root',
        "dialect  null  default",
        "readOnly  false  default",
        "contextWindow  5  --context-window",
        'durability  "process"  default',
        `trashHours  5  ${file}:2`,
        `stateDirectory  ${JSON.stringify(stateBeside(root))}  HOLDFAST_STATE`,
        'secrets  "on"  default',
        "approvals.waitSeconds  50  default",
        'tools.profile  "files"  default',
        "tools.loopDetection.enabled  true  default",
        "",
        "Rules",
        `user  write secrets/**: blocked  ${file}:5`,
        `user  exec git push: blocked  ${file}:6`,
        "built-in  template personal, where none of the above applies  default",
        "",
        "Files",
        "system  /etc/holdfast/config.jsonc  does not exist",
        "organisation  /etc/holdfast/organisation.jsonc  does not exist",
        `user  ${file}`,
        `workspace  ${join(root, ".holdfast.jsonc")}  does not exist`,
      ],
    ]);
  });

  it("as data", async () => {
    const { file, holdfast } = withConfig('{ "readOnly": true, "tools": { "deny": ["exec"] } }');
    const { values } = jsonOf((await holdfast("config", "show", "--json")).out) as { values: readonly object[] };
    expect(values).toContainEqual({ key: "readOnly", value: true, origin: `${file}:1` });
    expect(values).toContainEqual({ key: "tools.deny", value: ["exec"], origin: `${file}:1` });
  });

  it.each([
    {
      args: [],
      env: {},
      dialect: "picoclaw",
      by: "$FILE:1",
      sources: { archive: ["/srv", "$FILE:2"], logs: ["/var", "$FILE:3"] },
    },
    {
      args: ["--source", "new=/tmp"],
      env: { HOLDFAST_DIALECT: "fractary" },
      dialect: "fractary",
      by: "HOLDFAST_DIALECT",
      sources: { new: ["/tmp", "--source"] },
    },
    {
      args: ["--dialect", "capabilities"],
      env: { HOLDFAST_DIALECT: "fractary", HOLDFAST_SOURCE: "odd name=/tmp" },
      dialect: "capabilities",
      by: "--dialect",
      sources: { "odd name": ["/tmp", "HOLDFAST_SOURCE"] },
    },
  ])("whichever dialect and sources: $dialect by $by", async ({ args, env, dialect, by, sources }) => {
    const { file, holdfast } = withConfig(
      '{ "dialect": "picoclaw", "sources": {\n"archive": "/srv",\n"logs": "/var" } }',
      env,
    );
    const { values } = jsonOf((await holdfast("config", "show", "--json", ...args)).out) as {
      values: readonly Value[];
    };
    const shown = values.filter(({ key }) => key === "dialect" || key.startsWith("sources"));
    expect(shown).toEqual([
      { key: "dialect", value: dialect, origin: by.replace("$FILE", file) },
      ...Object.entries(sources).map(([name, [value, origin]]) => ({
        key: /\W/.test(name) ? `sources["${name}"]` : `sources.${name}`,
        value,
        origin: String(origin).replace("$FILE", file),
      })),
    ]);
  });

  it("and what it shows is what holds", async () => {
    const { holdfast } = withConfig('{ "readOnly": true }');
    const { code, out } = await holdfast("call", "write", '{"path":"x","content":""}');
    expect([code, out]).toEqual([1, expect.stringContaining("it is hidden from this session (read-only")]);
  });

  it("a dialect of a file is spoken, and its sources are there", async () => {
    const { root, holdfast } = withConfig('{ "dialect": "fractary", "sources": { "archive": "archive" } }');
    const archive = join(dirname(root), "archive");
    mkdirSync(archive);
    const { code } = await holdfast("call", "fractary_file_write", '{"path":"x","content":"1","source":"archive"}');
    expect([code, readFileSync(join(archive, "x"), "utf8")]).toEqual([0, "1"]);
    expect((await holdfast("file", "read", "x", "--source", "archive")).out).toBe("1");
    expect((await holdfast("tools")).out).toMatch(/^fractary_file_read /);
  });

  it("a dialect of a file is no reason to refuse another face", async () => {
    const { holdfast } = withConfig('{ "dialect": "fractary" }');
    expect((await holdfast("rpc", ".")).code).toBe(0);
    const { code, err } = await holdfast("rpc", ".", "--dialect", "fractary");
    expect([code, err]).toEqual([2, expect.stringContaining("JSON-RPC serves the dialect capabilities only")]);
  });
});
