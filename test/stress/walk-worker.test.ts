import { build } from "esbuild";
import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { createLocalStorage } from "../../src/storage/local/local.ts";
import { find, type FindOptions } from "../../src/workspace/walk/find.ts";
import { createReadAheadWorker } from "../../src/workspace/walk/worker/worker.ts";
import type { ReadAheadWorker } from "../../src/workspace/walk/worker/job.ts";
import { runJob } from "../../src/workspace/walk/worker/run-job.ts";
import { builtinSearcher } from "../../src/workspace/search/builtin-searcher.ts";
import { buildTree } from "../../src/workspace/walk/tree.ts";
import type { View, AccessCallbacks } from "../../src/workspace/view.ts";
import type { SafePath } from "../../src/storage/storage.ts";
import { createIgnoreRules } from "../../src/text/glob/ignore.ts";
import { layout } from "../layout.ts";
import { scratch, together } from "../runtime/scratch.ts";
import { viewOn } from "../workspace/viewing.ts";

/** Bundles the worker thread from the current sources. */
const program = together(async (atEnd) => {
  const outfile = join(scratch({}, atEnd), "read-ahead-worker.cjs");
  const entryPoints = ["src/workspace/walk/worker/worker-thread.ts"];
  const define = { "import.meta.url": '""' };
  await build({ entryPoints, outfile, bundle: true, platform: "node", format: "cjs", define });
  return pathToFileURL(outfile).href;
});

/** Returns a running worker that counts the jobs it is sent. */
async function awake(worker = createReadAheadWorker(program())): Promise<ReadAheadWorker & { sent: number }> {
  while (!worker.wake()) await sleep(5);
  const counting = {
    sent: 0,
    wake: worker.wake,
    send(...given: Parameters<ReadAheadWorker["send"]>) {
      counting.sent++;
      return worker.send(...given);
    },
  };
  return counting;
}

const everythingShown: Partial<AccessCallbacks> = { mayHideBelow: () => false };

function viewOf(root: string, worker?: ReadAheadWorker, callbacks: Partial<AccessCallbacks> = {}): View {
  const roots = [{ given: root, real: root }];
  return viewOn(createLocalStorage([root]), roots, { ...everythingShown, ...callbacks }, builtinSearcher, worker);
}

/** Repeats the lines below many directories, so that a walk uses the worker. */
const times = (count: number, lines: readonly string[]): readonly string[] =>
  Array.from({ length: count }, (_, n) => lines.map((line) => `m${n}/${line}`)).flat();

const MODULE = ["src/a/x.ts", "src/b/y.js", "src/b/z.ts", "lib/.hidden/h.ts", "lib/deep/er/e.ts", "readme.md"];
const TREES = {
  modules: times(100, MODULE),
  "rules in many places": [
    ...times(150, [...MODULE.slice(0, 4), ".gitignore = *.js\n!y.js\n/src/a", "src/.ignore = z.*"]),
    ".gitignore = readme.md\nm7/",
  ],
  "many flat directories": times(1200, ["one.ts"]),
  "one directory below the other": [
    ...times(300, ["x/y/z.ts"]),
    `${Array.from({ length: 150 }, (_, n) => `d${n}/e`).join("/")}/end.ts`,
  ],
  "odd names": times(200, ["a\nb/c\nd.ts", "\u00fc\u2028/\u{1F600}.ts", " /.ts", "'\"/x.ts", "to => ../m1", "-/--.ts"]),
  "links and empty directories": times(300, ["empty/", "void/void/", "out => ..", "gone => nowhere", "src => empty"]),
} as const;

const SEARCHES: Readonly<Record<string, Partial<FindOptions>>> = {
  "by ending": { patterns: ["**/*.ts"] },
  "below a name": { patterns: ["m1*/src/**", "m2/lib/**/*.ts"] },
  "hidden entries": { patterns: ["*.ts"], includeHidden: true, includeIgnored: true },
  "hidden entries that a pattern names": { patterns: [".hidden"] },
  directories: { patterns: ["**"], kind: "directory", exclude: ["lib"] },
  "up to a number of directories": { patterns: ["**"], budget: { directories: 900 } },
  "up to a number of entries": { patterns: ["**"], budget: { entries: 1501 } },
};

const DEFAULTS: FindOptions = {
  patterns: [],
  exclude: [],
  includeIgnored: false,
  includeHidden: false,
  sizes: { min: 0, max: Infinity },
  times: { min: -Infinity, max: Infinity },
  needsFacts: false,
};

async function foundBy(view: View, options: Partial<FindOptions>, start = ".") {
  const paths: string[] = [];
  const walked = await find(view, start, { ...DEFAULTS, ...options }, ({ path, kind }) =>
    paths.push(`${path} ${kind}`),
  );
  return { paths, walked };
}

const DEPTHS = [
  { depth: 64, limit: 100_000, includeIgnored: false, includeHidden: false },
  { depth: 3, limit: 100_000, includeIgnored: true, includeHidden: false },
  { depth: 2, limit: 40_000, includeIgnored: false, includeHidden: true },
];

const rows = Object.keys(TREES).map((name) => ({ name: name as keyof typeof TREES }));

it.each(rows)("$name: two threads find and show the same as one, in the same order", async ({ name }) => {
  const root = layout(TREES[name]);
  const worker = await awake();
  for (const [what, options] of Object.entries(SEARCHES)) {
    const alone = await foundBy(viewOf(root), options);
    expect({ what, ...(await foundBy(viewOf(root, worker), options)) }).toEqual({ what, ...alone });
  }
  for (const options of DEPTHS) {
    const alone = await buildTree(viewOf(root), ".", { ...options, exclude: [] });
    expect(await buildTree(viewOf(root, worker), ".", { ...options, exclude: [] })).toEqual(alone);
  }
  expect(worker.sent).toBeGreaterThan(0);
});

it("ignore rules above the start apply in both threads", async () => {
  const root = layout([...TREES.modules.map((line) => `top/${line}`), ".gitignore = /top/*/src/b\nreadme.md"]);
  const worker = await awake();
  const options = { patterns: ["**"] };
  const alone = await foundBy(viewOf(root), options, "top");
  expect(await foundBy(viewOf(root, worker), options, "top")).toEqual(alone);
  expect(alone.walked.leftOut).toBe(300);
  expect(worker.sent).toBeGreaterThan(0);
});

it("two threads find the same names that are not UTF-8 as one", async () => {
  const root = layout(times(200, ["a/x.ts", "b/y.ts"]));
  for (const [n, name] of [Buffer.from("\xff.ts", "latin1"), Buffer.from("\xfe", "latin1")].entries())
    writeFileSync(Buffer.concat([Buffer.from(`${root}/m${n}/a/`), name]), "");
  const worker = await awake();
  const options = { patterns: ["**"] };
  expect(await foundBy(viewOf(root, worker), options)).toEqual(await foundBy(viewOf(root), options));
  expect(worker.sent).toBeGreaterThan(0);
});

const mayOpen = (place: string): boolean => !/\/m\d*5\/lib$/.test(place);

it("directories that may not be opened are left out and counted, whichever thread reaches them first", async () => {
  const root = layout(TREES.modules);
  const worker = await awake();
  const alone = await foundBy(viewOf(root, undefined, { mayOpen }), { patterns: ["**"] });
  const both = await foundBy(viewOf(root, worker, { mayOpen }), { patterns: ["**"] });
  expect(both).toEqual(alone);
  expect(both.walked.blocked).toBe(10);
  expect(worker.sent).toBeGreaterThan(0);
});

it("no job is sent where access rules may hide something", async () => {
  const root = layout(TREES.modules);
  const worker = await awake();
  const callbacks = { mayHideBelow: () => true };
  const alone = await foundBy(viewOf(root, undefined, callbacks), { patterns: ["**"] });
  expect(await foundBy(viewOf(root, worker, callbacks), { patterns: ["**"] })).toEqual(alone);
  expect(worker.sent).toBe(0);
});

it("a directory that becomes a link jobOptions neither thread outside", async () => {
  const root = layout([...TREES.modules, "../outside/src/secret.ts"]);
  const worker = await awake();
  let isSwapped = false;
  const progress = (): void => {
    if (isSwapped) return;
    isSwapped = true;
    for (const name of readdirSync(root).filter((each) => each.endsWith("3"))) {
      renameSync(join(root, name), join(root, "..", `was-${name}`));
      symlinkSync("../outside", join(root, name));
    }
  };
  const { paths, walked } = await foundBy(viewOf(root, worker, { progress }), { patterns: ["**/*.ts"] });
  expect(paths.filter((path) => path.includes("secret"))).toEqual([]);
  expect(walked.unreadable).toBe(10);
  expect(paths).toHaveLength(90 * 3);
  expect(worker.sent).toBeGreaterThan(0);
});

const descriptors = (): number => readdirSync("/proc/self/fd").length;

it("can be stopped in the middle, and leaves nothing open", async () => {
  const root = layout(TREES["many flat directories"]);
  const worker = await awake();
  const before = descriptors();
  for (const seen of [1700, 1900, 2300]) {
    const signal = { aborted: false };
    const progress = (entries: number): void => void (signal.aborted ||= entries >= seen);
    const search = foundBy(viewOf(root, worker, { signal, progress }), { patterns: ["**"] });
    await expect(search).rejects.toMatchObject({ code: "cancelled" });
  }
  // Directories that the worker still reads are closed when its result arrives.
  for (let tries = 0; tries < 200 && descriptors() > before; tries++) await sleep(10);
  expect(descriptors()).toBeLessThanOrEqual(before);
  expect(worker.sent).toBeGreaterThan(0);
});

const DYING = 'const { workerData } = require("node:worker_threads"); workerData.on("message", () => process.exit(1));';
const BROKEN = 'throw new Error("this error is ignored")';

it.each([
  { name: "dies at its first job", text: DYING, startsUp: true },
  { name: "never gets ready", text: BROKEN, startsUp: false },
])("a walk works without a thread that $name, and does not start it again", async ({ text, startsUp }) => {
  const root = layout(TREES.modules);
  const file = join(scratch({ "thread.cjs": text }), "thread.cjs");
  const worker = createReadAheadWorker(pathToFileURL(file).href);
  const used = startsUp ? await awake(worker) : worker;
  const alone = await foundBy(viewOf(root), { patterns: ["**"] });
  for (let walks = 0; walks < 3; walks++)
    expect(await foundBy(viewOf(root, used), { patterns: ["**"] })).toEqual(alone);
  for (let tries = 0; tries < 100 && worker.wake(); tries++) await sleep(10);
  expect(worker.wake()).toBe(false);
});

it("leaves a huge directory to the walk, and does not begin to read it", async () => {
  const root = layout([]);
  const name = "n".repeat(240);
  mkdirSync(join(root, "huge"));
  for (let n = 0; n < 6000; n++) writeFileSync(join(root, "huge", `${name}${n}`), "");
  const directory = await createLocalStorage([root]).openDirectory(root as SafePath);
  const target = {
    shared: directory.sharedPath as string,
    place: directory.path,
    name: "huge",
    relativePath: "huge",
    depth: 1,
  };
  const jobOptions = {
    includeIgnored: true,
    includeHidden: true,
    depth: Infinity,
    serializedRules: createIgnoreRules([], false).serializedRules(),
  };
  const refused: unknown[] = [];
  const onRejection = (reason: unknown) => refused.push(reason);
  process.prependListener("unhandledRejection", onRejection);
  for (let round = 0; round < 20; round++) expect(runJob({ ...jobOptions, targets: [target] }).has("huge")).toBe(true);
  await sleep(200);
  process.removeListener("unhandledRejection", onRejection);
  directory.close();
  expect(refused).toEqual([]);
});
