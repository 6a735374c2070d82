import { expect, it, vi } from "vitest";
import type { Program } from "../../src/base/program.ts";
import { spawnProgram } from "../../src/exec/spawn.ts";
import { isBlockedAtPipe } from "../../src/storage/local/blocked-at-pipe.ts";
import { createRipgrepSearcher } from "../../src/workspace/search/ripgrep/ripgrep.ts";
import { candidates, find, planted } from "../contracts/searcher.ts";
import { builtinSearcher } from "../../src/workspace/search/builtin-searcher.ts";
import { WHILE_BUSY } from "../work.ts";
import {
  impostor,
  impostorInNode,
  packagedRipgrep,
  ripgrepSearcher,
  searchingView,
} from "../workspace/search/searching.ts";

const nowhere = async (): Promise<null> => null;

const FILES = { a: "needle one", b: "needle two", c: "nothing" };
const ALL = ["a:1:1 needle one", "b:1:1 needle two"];

it("without ripgrep the built-in searcher is used", async () => {
  const searcher = createRipgrepSearcher({
    spawn: spawnProgram,
    find: nowhere,
    isBlockedOnPipe: isBlockedAtPipe,
    smallBytes: 0,
    fallback: builtinSearcher,
  });
  expect(await find(searchingView(planted(FILES), searcher), {})).toEqual(ALL);
});

it.each([
  { name: "is gone", script: undefined },
  { name: "cannot run", script: "exit 127" },
  { name: "crashes", script: "kill -SEGV $$" },
  { name: "is killed", script: "kill -KILL $$" },
  { name: "complains", script: "echo 'rg: error' >&2; exit 2" },
])("a ripgrep that $name before any output is replaced by the built-in searcher", async ({ script }) => {
  const root = planted(FILES);
  const path = script === undefined ? async () => "/nope/rg" : impostor(root, script);
  expect(await find(searchingView(root, ripgrepSearcher(builtinSearcher, path)), {})).toEqual(ALL);
});

it.each([
  { name: "is gone", script: undefined },
  { name: "crashes at once", script: "kill -SEGV $$" },
  { name: "fails after some texts", script: "printf '7:\\n'; exit 2" },
  { name: "ends in the middle of a line", script: "printf '7:\\n1'; kill -KILL $$" },
])("a ripgrep that $name leaves the texts to the built-in searcher", async ({ script }) => {
  const root = planted({});
  const path = script === undefined ? async () => "/nope/rg" : impostor(root, script);
  const view = searchingView(root, ripgrepSearcher(builtinSearcher, path));
  expect(await candidates(view, ["none\n", "needle\n", "none\n", "needle\n"], {})).toEqual([1, 3]);
});

it.each(["", "9", "many", "2\\n2"])("a ripgrep that counts %j is replaced by the built-in searcher", async (says) => {
  const root = planted(FILES);
  const view = searchingView(root, ripgrepSearcher(builtinSearcher, impostor(root, `printf '${says}'`)));
  expect(await find(view, { path: "a", lineChars: 0 })).toEqual(["a 1"]);
});

it("a count of the file that ripgrep was given is trusted", async () => {
  const root = planted(FILES);
  const counts = impostorInNode(root, 'console.log(`${require("fs").readFileSync(0).length}\\r`)');
  const view = searchingView(root, ripgrepSearcher(builtinSearcher, counts));
  expect(await find(view, { path: "a", lineChars: 0 })).toEqual([`a ${FILES.a.length}`]);
});

it("a ripgrep that crashes half-way is a fault, not half an answer", async () => {
  const root = planted(FILES);
  const half = impostorInNode(
    root,
    `require("fs").writeSync(1, "./a\\0" + "1:1:0:needle one\\n"); setTimeout(() => process.kill(process.pid, "SIGSEGV"), 100);`,
  );
  const view = searchingView(root, ripgrepSearcher(builtinSearcher, half));
  await expect(find(view, {})).rejects.toThrow("ripgrep ended before it had searched everything");
});

it.each([
  { name: "another text", says: "./a\\0001:1:0:secret" },
  { name: "another place", says: "./a\\0002:1:7:needle one" },
  { name: "a place behind the end", says: "./a\\0001:1:99999:needle one" },
  { name: "a part of the line", says: "./a\\0001:1:0:needle" },
  { name: "a file without a match", says: "./c\\0001:1:0:needle one" },
  { name: "a file that is not there", says: "./nope\\0001:1:0:needle one" },
  { name: "a file outside", says: "./../outside/s\\0001:1:0:needle secret" },
  { name: "a link to the outside", says: "./link\\0001:1:0:needle secret" },
  { name: "nonsense", says: "./a\\000needle\\n::::\\n\\n9" },
])("ripgrep's output is compared with the file: $name", async ({ says }) => {
  const root = planted({ ...FILES, "../outside/s": "needle secret", link: "→../outside/s" });
  const view = searchingView(root, ripgrepSearcher(builtinSearcher, impostor(root, `printf '${says}\\n'`)));
  const found = await find(view, {});
  expect(found.every((line) => ALL.includes(line))).toBe(true);
});

it("places that the rules deny are neither reported, counted nor passed to ripgrep", async () => {
  const root = planted({ "open/a": "needle", "closed/b": "needle", "closed [x]/c": "needle", d: "needle" });
  const closed = [`${root}/closed`, `${root}/closed [x]`, `${root}/d`];
  const callbacks = {
    checkAccess(place: string) {
      if (closed.some((each) => place === each || place.startsWith(`${each}/`))) throw denied();
    },
    deniedBelow: () => closed as never,
  };
  const args: string[][] = [];
  const spawn = (start: Parameters<typeof spawnProgram>[0]): Program => {
    args.push([...start.args]);
    return spawnProgram(start);
  };
  const searcher = createRipgrepSearcher({
    spawn,
    find: packagedRipgrep,
    isBlockedOnPipe: isBlockedAtPipe,
    smallBytes: 0,
    fallback: builtinSearcher,
  });
  expect(await find(searchingView(root, searcher, callbacks), {})).toEqual(["open/a:1:1 needle"]);
  expect(args[0]).toEqual(
    expect.arrayContaining(["--glob=!/closed", "--glob=!/closed \\[x\\]", "--glob=!/d", "--no-config"]),
  );
  // The view denies them even if ripgrep does not exclude them.
  const blind = { ...callbacks, deniedBelow: () => [] };
  expect(await find(searchingView(root, ripgrepSearcher(), blind), {})).toEqual(["open/a:1:1 needle"]);
  expect(await find(searchingView(root, builtinSearcher, callbacks), {})).toEqual(["open/a:1:1 needle"]);
});

const denied = (): Error => Object.assign(new Error("denied"), { name: "Fault", code: "denied", details: {} });

it("searches wait in a queue, and one that is cancelled while it waits leaves the queue", async () => {
  const root = planted(FILES);
  let [running, most, started] = [0, 0, 0];
  const spawn = (start: Parameters<typeof spawnProgram>[0]): Program => {
    const program = spawnProgram(start);
    most = Math.max(most, ++running);
    started++;
    void program.exited.then(() => running--);
    return program;
  };
  const searcher = createRipgrepSearcher({
    spawn,
    find: packagedRipgrep,
    isBlockedOnPipe: isBlockedAtPipe,
    smallBytes: 0,
    fallback: builtinSearcher,
  });
  const controller = new AbortController();
  const view = searchingView(root, searcher);
  const cancelled = searchingView(root, searcher, { signal: controller.signal });
  const searches = Array.from({ length: 200 }, () => find(view, {}));
  const given = Array.from({ length: 20 }, () => find(cancelled, {}).catch((error: Error) => error.message));
  controller.abort();
  expect(await Promise.all(given)).toEqual(given.map(() => "Cannot finish the call: it was cancelled"));
  expect(await Promise.all(searches)).toEqual(searches.map(() => ALL));
  expect([most <= 3, started]).toEqual([true, 200]);
});

it("cancelling ends ripgrep at once, which would otherwise run for an hour", async () => {
  const root = planted(FILES);
  const program: Program[] = [];
  const spawn = (start: Parameters<typeof spawnProgram>[0]): Program => {
    program.push(spawnProgram(start));
    return program[0] as Program;
  };
  const controller = new AbortController();
  const searcher = createRipgrepSearcher({
    spawn,
    find: impostorInNode(root, "setTimeout(() => {}, 3_600_000)"),
    isBlockedOnPipe: isBlockedAtPipe,
    smallBytes: 0,
    fallback: builtinSearcher,
  });
  const search = find(searchingView(root, searcher, { signal: controller.signal }), {});
  await vi.waitUntil(() => program.length > 0, WHILE_BUSY);
  controller.abort();
  await expect(search).rejects.toThrow("cancelled");
  expect(await program[0]?.exited).toMatchObject({ code: null });
});
