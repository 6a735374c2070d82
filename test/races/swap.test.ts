import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { expect, it } from "vitest";
import { createLocalStorage } from "../../src/storage/local/local.ts";
import type { Facts, LastLink, OpenDirectory, SafePath, Storage } from "../../src/storage/storage.ts";
import { serve } from "../contracts/serve.ts";
import { layout } from "../layout.ts";
import { JAILS } from "../storage/jails.ts";
import { race, refusalOf, type Try, UNHARMED } from "./race.ts";

/** Has two sides that differ only in content and identity: every answer reveals where it came from. */
const TREE = [
  "dir/same = inside",
  "dir/own",
  "dir/deep/same = inside",
  "dir.link => ../outside",
  "file = inside",
  "file.link => ../outside/same",
  "through => dir",
  "../outside/same = a secret",
  "../outside/secret",
  "../outside/deep/same = a secret",
];
const swappedIn = (root: string) => ["dir", "dir.link", "file", "file.link"].map((name) => `${root}/${name}`);
const FILES = ["file", "dir/same", "dir/deep/same", "through/same", "dir/deep/../same", "through/../file"];
const DIRECTORIES = ["dir", "through", "dir/deep", "dir/deep/.."];

const TRIES = 50_000;
const CALLS = 6_000;
/** Lists the refusals that a swap explains. Any other, an internal error above all, is a bug. */
const REFUSALS = ["swapped", "outside_workspace", "not_found", "not_a_directory"];

const ROUNDS = JAILS.slice(0, 2).flatMap((each) => [1, 2].map((round) => ({ ...each, round })));

it.each(ROUNDS)("no swap leads outside, where a check by name is fooled: $name, round $round", async ({ jail }) => {
  const root = layout(TREE);
  const naive = { tries: 0, leaks: 0 };
  const result = await race({
    swapped: swappedIn(root),
    times: TRIES,
    tries: triesIn(createLocalStorage([root], jail), identitiesBelow(root)),
    refusals: REFUSALS,
    alongside(count) {
      if (count % 10 > 0) return;
      naive.leaks += Number(isFooled(root, `${root}/${FILES[++naive.tries % 2]}`));
    },
  });
  console.log(`Raced: ${JSON.stringify({ ...result, naive })}`);
  expect(result).toMatchObject(UNHARMED);
  expect(naive.leaks).toBeGreaterThan(0);
});

it("no swap leads a tool outside", async () => {
  const root = layout(TREE);
  const result = await race({ swapped: swappedIn(root), times: CALLS, tries: callsIn(root), refusals: REFUSALS });
  console.log(`Raced tools: ${JSON.stringify(result)}`);
  expect(result).toMatchObject(UNHARMED);
});

/** Does what everyone writes first: resolves the path, checks that it is inside, then opens it. */
function isFooled(root: string, path: string): boolean {
  try {
    return realpathSync(path).startsWith(`${root}/`) && readFileSync(path, "utf8") === "a secret";
  } catch {
    return false;
  }
}

/** Returns the identity of everything that may be seen, which stays the same wherever it is moved. */
function identitiesBelow(root: string): ReadonlySet<string> {
  const inside = TREE.filter((line) => !line.startsWith("../")).map((line) => line.split(" ")[0]);
  const paths = ["", "dir", "dir/deep", ...inside].map((way) => `${root}/${way}`);
  return new Set(paths.map((path) => lstatSync(path)).map(({ dev, ino }) => `${dev}:${ino}`));
}

function triesIn(storage: Storage, inside: ReadonlySet<string>): readonly Try[] {
  const [root] = storage.roots;
  const at = (way: string) => `${root}/${way}` as SafePath;
  const check = (facts: Facts | null) =>
    !facts || inside.has(facts.identity) ? "inside" : `escaped: saw ${facts.path}`;
  const look = (way: string, last: LastLink) => async () => check(await storage.stat(at(way), last));
  const read = (way: string) => () =>
    storage.withFile(at(way), async (file) => {
      const bytes = Buffer.alloc(16);
      const text = bytes.toString("utf8", 0, await file.read(bytes, 0));
      return text === "inside" ? check(file.facts) : `escaped: read ${text}`;
    });
  const list = (way: string) => () =>
    storage.withDirectory(at(way), async (directory) => {
      const own = [check(directory.facts()), ...(await checkEntries(directory, check))];
      const entry = { name: "deep", kind: "directory" } as const;
      const isTop = directory.stat(entry) !== null;
      const below = isTop ? await directory.withDirectory(entry, (deep) => checkEntries(deep, check)) : [];
      return [...own, ...below].find((verdict) => verdict !== "inside") ?? "inside";
    });
  return [
    ...FILES.flatMap((way) => [read(way), look(way, "follow"), look(way, "keep")]),
    ...DIRECTORIES.flatMap((way) => [list(way), look(way, "follow"), look(way, "keep")]),
  ].map((attempt) => () => attempt().catch(refusalOf));
}

async function checkEntries(directory: OpenDirectory, check: (facts: Facts | null) => string): Promise<string[]> {
  const entries = await directory.entries();
  return entries.map((entry) => (entry.name === "secret" ? "escaped: listed it" : check(directory.stat(entry))));
}

/**
 * Fails when an answer of a tool comes from outside. Entries that it leaves out of a tree or marks in a listing are
 * fine.
 */
function callsIn(root: string): readonly Try[] {
  const holdfast = serve([root]);
  const calls = [
    ...FILES.flatMap((path) => [call("read", { path }), call("stat", { path, checksum: true })]),
    ...["dir", "through", "."].flatMap((path) => [call("ls", { path, sort_by: "size" }), call("tree", { path })]),
    call("read", { paths: FILES }),
    ...["dir", "."].map((path) => call("find", { path, pattern: "**", sort_by: "-size" })),
    call("find", { pattern: "**", duplicates: true }),
  ];
  return calls.map(({ tool, input }) => async () => {
    const { isError, text, data } = await holdfast.call(tool, input);
    if (`${text}${JSON.stringify(data)}`.includes("secret")) return `escaped: ${text}`;
    const { code = "inside", message = "" } = (data["error"] ?? {}) as { code?: string; message?: string };
    return isError && !REFUSALS.includes(code) ? `${code}: ${message}` : code;
  });
}

const call = (tool: string, input: unknown) => ({ tool, input });
