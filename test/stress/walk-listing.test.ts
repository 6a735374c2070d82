import { readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type KernelSource, kernel } from "../../src/storage/local/jail/kernel.ts";
import { createLocalStorage } from "../../src/storage/local/local.ts";
import { find, type FindOptions } from "../../src/workspace/walk/find.ts";
import { buildTree } from "../../src/workspace/walk/tree.ts";
import type { View, AccessCallbacks } from "../../src/workspace/view.ts";
import { layout } from "../layout.ts";
import { viewOn } from "../workspace/viewing.ts";

/** A walk reads directories through Node or through the kernel. */
const BY_NODE: KernelSource = () => null;
const BY_KERNEL: KernelSource = kernel;

function viewOf(root: string, kernelSource: KernelSource, access: Partial<AccessCallbacks> = {}): View {
  const storage = createLocalStorage([root], { containment: "handle", kernelSource });
  return viewOn(storage, [{ given: root, real: root }], { mayHideBelow: () => false, ...access });
}

/** Repeats the lines below many directories, so that a walk has much to open. */
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

it.each(rows)("$name: kernel and Node find and show the same, in the same order", async ({ name }) => {
  const root = layout(TREES[name]);
  for (const [what, options] of Object.entries(SEARCHES)) {
    const expected = await foundBy(viewOf(root, BY_NODE), options);
    expect({ what, ...(await foundBy(viewOf(root, BY_KERNEL), options)) }).toEqual({ what, ...expected });
  }
  for (const options of DEPTHS) {
    const expected = await buildTree(viewOf(root, BY_NODE), ".", { ...options, exclude: [] });
    expect(await buildTree(viewOf(root, BY_KERNEL), ".", { ...options, exclude: [] })).toEqual(expected);
  }
});

it("names that are not UTF-8 are the same from kernel and Node", async () => {
  const root = layout(["m/a/x.ts", "m/b/y.ts", "m/c/\uFFFD.ts"]);
  for (const [n, name] of [Buffer.from("\xff.ts", "latin1"), Buffer.from("\xfe", "latin1")].entries())
    writeFileSync(Buffer.concat([Buffer.from(`${root}/m/${"ab"[n]}/`), name]), "");
  const options = { patterns: ["**"], needsFacts: true };
  const found = await foundBy(viewOf(root, BY_KERNEL), options);
  expect(found).toEqual(await foundBy(viewOf(root, BY_NODE), options));
  expect(found.paths).toHaveLength(9);
});

const mayOpen = (place: string): boolean => !/\/m\d*5\/lib$/.test(place);

describe.each([
  { name: "Node", source: BY_NODE },
  { name: "the kernel", source: BY_KERNEL },
])("a walk by $name", ({ source }) => {
  it("applies ignore rules above the start", async () => {
    const root = layout([...TREES.modules.map((line) => `top/${line}`), ".gitignore = /top/*/src/b\nreadme.md"]);
    const { walked } = await foundBy(viewOf(root, source), { patterns: ["**"] }, "top");
    expect(walked.leftOut).toBe(300);
  });

  it("leaves out and counts directories that may not be opened", async () => {
    const root = layout(TREES.modules);
    const { paths, walked } = await foundBy(viewOf(root, source, { mayOpen }), { patterns: ["**"] });
    expect(walked.blocked).toBe(10);
    expect(paths.filter((path) => /m\d*5\/lib\//.test(path))).toEqual([]);
  });

  it("is not led outside by a directory that becomes a link", async () => {
    const root = layout([...TREES.modules, "../outside/src/secret.ts"]);
    let isSwapped = false;
    const progress = (): void => {
      if (isSwapped) return;
      isSwapped = true;
      for (const name of readdirSync(root).filter((each) => each.endsWith("3"))) {
        renameSync(join(root, name), join(root, "..", `was-${name}`));
        symlinkSync("../outside", join(root, name));
      }
    };
    const { paths, walked } = await foundBy(viewOf(root, source, { progress }), { patterns: ["**/*.ts"] });
    expect(paths.filter((path) => path.includes("secret"))).toEqual([]);
    expect(walked.unreadable).toBe(10);
    expect(paths).toHaveLength(90 * 3);
  });

  it("can be stopped in the middle, and leaves nothing open", async () => {
    const root = layout(TREES["many flat directories"]);
    await foundBy(viewOf(root, source), { patterns: ["**"] });
    const before = readdirSync("/proc/self/fd").length;
    for (const seen of [1300, 1700, 2300]) {
      const signal = { aborted: false };
      const progress = (entries: number): void => void (signal.aborted ||= entries >= seen);
      const search = foundBy(viewOf(root, source, { signal, progress }), { patterns: ["**"] });
      await expect(search).rejects.toMatchObject({ code: "cancelled" });
    }
    expect(readdirSync("/proc/self/fd").length).toBeLessThanOrEqual(before);
  });
});
