import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratch, stateBeside } from "../runtime/scratch.ts";
import { own, run, saying } from "./bin.ts";
import { openWire, toolCall } from "./wire.ts";

describe("a wrong command line is refused with what to do, and exit code 2", () => {
  it.each([
    { args: ["--rot", "."], says: "Cannot read the command line: Unknown option '--rot'; did you mean --root?" },
    {
      args: ["--context-window", "big", "."],
      says: 'Cannot use --context-window "big": give a number of tokens, such as 200000',
    },
    { args: ["--context-window", "-5", "."], says: /--context-window/ },
    { args: [], says: /^Cannot start without a directory: none was given/ },
    {
      args: ["./none"],
      says: /^Cannot start without a directory: none can be used \("\.\/none": it does not exist\); name one that exists, or see/,
    },
    {
      args: ["mcp", "file"],
      says: /none can be used \("file": it is not a directory\); name one/,
    },
    { args: ["none", "file"], says: /\("none": it does not exist; "file": it is not a directory\); name one/ },
    { args: ["call"], says: /^Cannot call: give a tool and its arguments as one JSON object; example: / },
    {
      args: ["call", "read", "{}", "extra"],
      says: /^Cannot call: unexpected argument "extra"; give directories with --root/,
    },
    {
      args: ["doctr"],
      says: 'Cannot run "doctr": there is no such command; did you mean "holdfast doctor"? To serve a directory of that name: holdfast ./doctr',
    },
    {
      args: ["frobnicate"],
      says: 'Cannot run "frobnicate": there is no such command; holdfast help lists the commands. To serve a directory of that name: holdfast ./frobnicate',
    },
    {
      args: ["rm", "file"],
      says: /^Cannot run "rm": there is no such command; did you mean "holdfast call delete '<json>'"\?/,
    },
    { args: ["cat", "file"], says: /^Cannot run "cat": .* did you mean "holdfast read"\?/ },
    { args: ["frobnicate", "--all"], says: /^Cannot run "frobnicate": there is no such command/ },
    { args: ["--root", ".", "frobnicate"], says: /^Cannot run "frobnicate": there is no such command/ },
    { args: ["a"], says: /did you mean "holdfast approvals" or "holdfast audit"\?/ },
    { args: ["./doctr"], says: /none can be used \("\.\/doctr": it does not exist\); name one that exists/ },
    { args: ["mcp", "frobnicate"], says: /none can be used \("frobnicate": it does not exist\); name one/ },
    { args: ["mcp", "doctr"], says: 'Cannot serve "doctr": it does not exist; did you mean "holdfast doctor"?' },
    { args: ["call", "ls", "--state", "/proc/x"], says: /^Cannot keep state in "\/proc\/x"/ },
    {
      args: ["call", "read", "{path}"],
      says: /^Cannot call: the arguments are not JSON: \{path\}; example: /,
    },
    { args: ["call", "ls", "{}", "--root", "none"], says: /none can be used/ },
    { args: ["call", "delete", "{}", "--dry-run"], says: /^Cannot use --dry-run with holdfast call: it belongs to / },
    {
      args: [".", "--all"],
      says: /^Cannot use --all with holdfast mcp: it belongs to holdfast history and holdfast undo and /,
    },
    {
      args: ["hist"],
      says: /^Cannot run "hist": there is no such command; did you mean "holdfast history"\? To serve/,
    },
    { args: ["help", "udno"], says: /there is no such command; did you mean "holdfast help undo"\?$/ },
    {
      args: ["console", "--help"],
      says: /^Cannot show help for "console": there is no such command; there are mcp, up, /,
    },
    { args: ["policy", "explain", "../x"], says: /there is no tool "\.\.\/x"/ },
    {
      args: ["policy", "explain", "write", "../x"],
      says: /it is not inside "[^"]+"; use --root for another directory$/,
    },
    {
      args: ["policy", "explain", "wrte", "x"],
      says: /"wrte" is not an act; .* example: holdfast policy explain write notes/,
    },
    {
      args: ["policy"],
      says: /^Cannot use holdfast policy: give check, explain or test; example: holdfast policy check/,
    },
    { args: ["policy", "test", "x"], says: /^Cannot use holdfast policy test: the usage is holdfast policy test; / },
    { args: ["config", "shwo"], says: /there is no "shwo"; did you mean "holdfast config show"\?$/ },
    { args: ["audit"], says: /^Cannot use holdfast audit: give show, verify or blame; example: / },
    {
      args: ["approvals", "deny"],
      says: /the usage is holdfast approvals deny <id> \[<reason>\]; example: holdfast approvals deny 68cf/,
    },
    {
      args: ["file", "raed", "x"],
      says: 'Cannot use holdfast file: there is no "raed"; did you mean "holdfast file read"?',
    },
    {
      args: ["stat", "x", "."],
      says: /^Cannot run "stat": there is no such command; did you mean "holdfast call stat '<json>'"\? To serve/,
    },
    {
      args: ["read"],
      says: /^Cannot use holdfast read: the usage is holdfast read <path>\.\.\.; example: holdfast read README/,
    },
    { args: ["grep"], says: /^Cannot use holdfast grep: the usage is holdfast grep <pattern> \[<path>\]; example: / },
    { args: ["ls", "a", "b"], says: /^Cannot use holdfast ls: the usage is holdfast ls \[<dir>\]; example: / },
    {
      args: ["edit", "a", "--old", "x"],
      says: /^Cannot use holdfast edit: the usage is holdfast edit <path> --old <text>/,
    },
    { args: ["tree", "-L", "0"], says: /^Cannot use --levels "0": give a number, such as 3$/ },
    { args: ["ls", "-i"], says: /^Cannot use --ignore-case with holdfast ls: it belongs to holdfast grep$/ },
    { args: ["histroy"], says: /did you mean "holdfast history"\?/ },
    { args: ["history", "a", "b"], says: /^Cannot show history: give one path at most; example: / },
    { args: ["history", "--root", "none"], says: /none can be used/ },
    { args: ["history", "--limit", "0"], says: /^Cannot use --limit "0": / },
    { args: ["undo", "a", "b"], says: /^Cannot undo: give one change, or --session, or --since; example: / },
    { args: ["undo", "a", "--since", "1h"], says: /^Cannot undo: give one change, or --session, or --since/ },
    { args: ["diff"], says: /^Cannot show a change: give one change; holdfast history lists them; example: / },
    { args: ["trash", "burn"], says: /^Cannot use holdfast trash: give list, restore or purge; example: / },
    { args: ["trash", "resotre", "a"], says: /there is no "resotre"; did you mean "holdfast trash restore"\?$/ },
    {
      args: ["trash", "list", "--expired"],
      says: /^Cannot use holdfast trash list: the usage is holdfast trash \[list\]; /,
    },
    { args: ["trash", "restore"], says: /the usage is holdfast trash restore <trash-id\|path>; / },
    { args: ["trash", "restore", "a", "--all"], says: /the usage is holdfast trash restore <trash-id\|path>; / },
    { args: ["trash", "purge"], says: /the usage is holdfast trash purge <trash-id\|path\|--expired\|--all>; / },
    {
      args: ["trash", "purge", "a", "--all"],
      says: /the usage is holdfast trash purge <trash-id\|path\|--expired\|--all>; /,
    },
    {
      args: ["trash", "purge", "a", "b"],
      says: /the usage is holdfast trash purge <trash-id\|path\|--expired\|--all>; /,
    },
  ])("$args", async ({ args, says }) => {
    const { code, out, err } = await run(args, own(scratch({ file: "" })));
    expect([code, out]).toEqual([2, ""]);
    const [, line, ...more] = err.split(/^holdfast: |\n/);
    expect(line).toEqual(saying(says));
    expect(more).toEqual([""]);
  });
});

describe("one call", () => {
  const tree = { "a.txt": "one\ntwo\n", "sub/b.txt": "b\n" };

  it.each([
    { name: "the current directory by default", args: ["call", "read", '{"path":"a.txt"}'], out: "one\ntwo\n\n" },
    { name: "a root by flag", args: ["call", "read", '{"path":"b.txt"}', "--root", "sub"], out: "b\n\n" },
    { name: "a root with =", args: ["call", "read", '{"path":"b.txt"}', "--root=sub"], out: "b\n\n" },
    { name: "the flag in front", args: ["--root", "sub", "call", "read", '{"path":"b.txt"}'], out: "b\n\n" },
    { name: "two roots", args: ["call", "read", '{"path":"b.txt"}', "--root", ".", "--root", "sub"], out: "b\n\n" },
    { name: "no arguments", args: ["call", "tree"], out: "./\n  sub/\n    b.txt\n  a.txt\n" },
    { name: "another name of a tool", args: ["call", "list", '{"path":"sub"}'], out: /^b\.txt 2$/m },
  ])("$name: exit code 0", async ({ args, out }) => {
    const ran = await run(args, own(scratch(tree)));
    expect([ran.code, ran.err]).toEqual([0, ""]);
    expect(ran.out).toEqual(saying(out));
  });

  it.each([
    { args: ["call", "read", '{"path":"none"}'], says: /it does not exist\nList the parent/ },
    { args: ["call", "read", '{"path":"../x"}'], says: /is not inside/ },
    { args: ["call", "raed", "{}"], says: /did you mean "read"\?/ },
    { args: ["call", "read", "[]"], says: /must be a JSON object/ },
    { args: ["call", "read", '{"paht":"a.txt"}'], says: /did you mean "path"\?/ },
  ])("a fault: exit code 1 for $args", async ({ args, says }) => {
    const ran = await run(args, own(scratch(tree)));
    expect([ran.code, ran.err]).toEqual([1, ""]);
    expect(ran.out).toMatch(says);
  });

  it("a large answer comes whole", async () => {
    const root = scratch({ "big.txt": "0123456789abcdef\n".repeat(60_000) });
    const args = ["call", "read", JSON.stringify({ path: "big.txt", limit: 100_000, max_bytes: 2_000_000 })];
    const { out } = await run(args, own(root));
    expect(out.length).toBe(17 * 60_000 + 1);
  });

  it("a root that cannot be used is told, not skipped in silence", async () => {
    const ran = await run(["call", "tree", "{}", "--root", "none", "--root", "sub"], own(scratch(tree)));
    expect(ran).toEqual({
      code: 0,
      out: "./\n  b.txt\n",
      err: 'holdfast: Skipped the root "none": it does not exist\n',
    });
  });
});

describe("every flag has a twin in the environment, and the flag wins", () => {
  const tree = { "one/a.txt": "1", "two/a.txt": "2", "three/c.txt": "3" };
  const READ = ["call", "read", '{"path":"a.txt"}'];

  it.each([
    { name: "HOLDFAST_ROOT", args: READ, env: { HOLDFAST_ROOT: "one" }, out: "1\n" },
    { name: "HOLDFAST_ROOT with several", args: READ, env: { HOLDFAST_ROOT: "three:two" }, out: "2\n" },
    { name: "--root over HOLDFAST_ROOT", args: [...READ, "--root", "two"], env: { HOLDFAST_ROOT: "one" }, out: "2\n" },
  ])("$name", async ({ args, env, out }) => {
    const ran = await run(args, own(scratch(tree), env));
    expect(ran).toEqual({ code: 0, out, err: "" });
  });

  it.each([
    { args: [], env: { HOLDFAST_CONTEXT_WINDOW: "200000" }, page: "160000" },
    { args: ["--context-window", "400000"], env: { HOLDFAST_CONTEXT_WINDOW: "200000" }, page: "320000" },
    { args: ["--context-window", "400000"], env: {}, page: "320000" },
    { args: [], env: { HOLDFAST_CONTEXT_WINDOW: "" }, page: "51200" },
  ])("a context window by $args and $env", async ({ args, env, page }) => {
    const { out } = await run(["call", "session", "{}", ...args], own(scratch(tree), env));
    expect(/pages of (\d+) bytes/.exec(out)?.[1]).toBe(page);
  });

  it.each([
    { args: [], env: {}, loops: 2 },
    { args: [], env: { HOLDFAST_LOOP_DETECTION: "off" }, loops: 0 },
    { args: ["--loop-detection", "off"], env: {}, loops: 0 },
    { args: ["--loop-detection", "on"], env: { HOLDFAST_LOOP_DETECTION: "off" }, loops: 2 },
  ])("loop detection by $args and $env: $loops of 22 calls refused", async ({ args, env, loops }) => {
    const wire = openWire(join(scratch(tree), "one"), { args, env });
    const refused: boolean[] = [];
    for (let id = 0; id < 22; id++) {
      wire.say(toolCall(id, "read", { path: "a.txt" }));
      refused.push(JSON.stringify(await wire.answer(id)).includes('"code":"loop"'));
    }
    expect(refused.filter(Boolean)).toHaveLength(loops);
  });

  it("a wrong value in the environment is refused like a wrong flag", async () => {
    const { code, err } = await run(READ, own(scratch(tree), { HOLDFAST_CONTEXT_WINDOW: "much" }));
    expect([code, err]).toEqual([2, expect.stringContaining('"much": give a number of tokens')]);
  });

  it.each([
    { args: [], env: {}, lives: "beside" },
    { args: ["--state", "kept"], env: {}, lives: "kept" },
  ])("state by $args lives $lives", async ({ args, env, lives }) => {
    const root = scratch(tree);
    await run(["call", "ls", '{"path":"."}', "--root", "one", ...args], own(root, env));
    const kept = join(root, "kept");
    expect([existsSync(stateBeside(root)), existsSync(kept)]).toEqual([lives === "beside", lives === "kept"]);
    const home = lives === "kept" ? kept : stateBeside(root);
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.map(({ name }) => name)).toEqual([expect.stringMatching(/^audit-.*\.jsonl$/)]);
  });
});

describe("serving", () => {
  it.each([
    { name: "a directory", args: ["sub"] },
    { name: "a directory by flag", args: ["--root", "sub"] },
    { name: "with the command", args: ["mcp", "sub"] },
    { name: "with the command and the flag", args: ["mcp", "--root", "sub"] },
    { name: "read-only", args: ["--read-only", "sub"] },
  ])("$name: the same root", async ({ args }) => {
    const root = scratch({ "sub/a.txt": "" });
    expect(await rootsServed(args, root)).toEqual([join(root, "sub")]);
  });

  it("flags and words together are all roots, each once", async () => {
    const root = scratch({ one: null, two: null });
    expect(await rootsServed(["--root", "one", "two", "./one"], root)).toEqual([join(root, "one"), join(root, "two")]);
  });

  it("skips what cannot be a root and says why", async () => {
    const root = scratch({ sub: null, file: "" });
    const { err } = await run(["none", "sub", "file"], own(root));
    expect(err).toBe(
      'holdfast: Skipped the root "none": it does not exist\nholdfast: Skipped the root "file": it is not a directory\n',
    );
  });
});

async function rootsServed(args: readonly string[], root: string): Promise<readonly string[]> {
  const request = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "session", arguments: {} } };
  const { out } = await run(args, { ...own(root), input: `${JSON.stringify(request)}\n` });
  const { result } = JSON.parse(out) as { result: { structuredContent: { roots: { path: string }[] } } };
  return result.structuredContent.roots.map(({ path }) => path);
}
