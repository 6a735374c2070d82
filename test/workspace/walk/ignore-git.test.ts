import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { callerOn, scratch } from "../../runtime/scratch.ts";
import { needs } from "../../programs.ts";

type Files = Readonly<Record<string, string>>;

/** No file of the user's own may have a say. */
const ALONE = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null", LC_ALL: "C" };

function git(root: string, words: readonly string[], input = ""): string {
  const flags = ["-C", root, "-c", "core.quotePath=false", "-c", "core.excludesFile=/dev/null"];
  return spawnSync("git", [...flags, ...words], { env: ALONE, encoding: "utf8", input }).stdout;
}

/** What git would not ignore, by its own answer. */
function keptByGit(root: string): readonly string[] {
  const listed = git(root, ["ls-files", "-z", "--others", "--exclude-standard"]);
  return listed
    .split("\0")
    .filter((path) => path !== "")
    .toSorted();
}

async function keptByUs(root: string): Promise<readonly string[]> {
  const caller = callerOn(root, { loopDetection: false });
  const { data } = await caller("find", { pattern: "**", include_hidden: true, limit: 10_000 });
  const matches = data["matches"] as readonly { path: string; type: string }[];
  return matches.flatMap(({ path, type }) => (type === "directory" ? [] : path)).toSorted();
}

function plant(root: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** ASCII only: to git "?" is a byte, to us a character. */
const NAMES = ["a", "b", "ab", "a.log", "b.log", "x.txt", "#a", "!a", "a b", "a ", "[a]", "*", "build", "ab.c.d"];
const DIRECTORIES = ["", "a/", "b/", "a/b/", "build/", "a/build/", "b/a/b/"];
const ALL: Files = Object.fromEntries(
  DIRECTORIES.flatMap((directory) => NAMES.map((name) => [`${directory}in/${name}`, ""])),
);

it.each([
  ["*.log"],
  ["*.log\n!a.log"],
  ["!a.log\n*.log"],
  ["a/"],
  ["/a/"],
  ["a/b"],
  ["/in/a"],
  ["a/*"],
  ["a/*\n!a/b"],
  ["a/**"],
  ["**/b"],
  ["**/b/in"],
  ["a/**/a"],
  ["a/**/in/*.log"],
  ["build/\n!a/build/"],
  ["in/*\n!in/a"],
  ["*\n!*/\n!*.log"],
  ["\\#a"],
  ["#a"],
  ["\\!a"],
  ["!a"],
  ["[ab]"],
  ["[!a]"],
  ["[^a]"],
  ["[a-b].log"],
  ["\\[a\\]"],
  ["[[]a]"],
  ["\\*"],
  ["?"],
  ["a?"],
  ["a b"],
  ["a "],
  ["a\\ "],
  ["a  \nb"],
  ["[a"],
  ["a\\"],
  ["*.log\r\nb\r\n"],
  ["\uFEFF*.log"],
  ["**"],
  ["**foo\n*.**"],
  ["/"],
  ["//a"],
  ["a//b"],
  ["/*\n!/a\n/a/*\n!/a/b"],
  ["[[:alpha:]].log"],
  ["[]-]"],
  ["{a,b}.log"],
  ["ab.*.d\n*.c.*"],
])("%j means what it means to git", async (rules) => {
  needs("git");
  const root = scratch({});
  git(root, ["init", "-q"]);
  plant(root, { ...ALL, ".gitignore": rules });
  expect(await keptByUs(root)).toEqual(keptByGit(root));
});

const line = fc
  .tuple(
    fc.constantFrom("", "", "", "!"),
    fc.constantFrom("", "", "/", "**/"),
    fc.array(fc.constantFrom("a", "b", "in", "build", "*", "**", "a*", "*.log", "?", "[ab]", "*b*", "x.txt"), {
      minLength: 1,
      maxLength: 3,
    }),
    fc.constantFrom("", "", "/", "/**", "/*"),
  )
  .map(([bang, start, names, end]) => `${bang}${start}${names.join("/")}${end}`);
const text = fc.array(line, { maxLength: 5 }).map((lines) => lines.join("\n"));

it("nested files together mean what they mean to git", async () => {
  needs("git");
  const root = scratch({});
  git(root, ["init", "-q"]);
  const property = fc.asyncProperty(text, text, text, async (top, inner, deepest) => {
    const rules = { ".gitignore": top, "a/.gitignore": inner, "a/b/.gitignore": deepest };
    plant(root, { ...ALL, ...rules });
    const [ours, theirs] = [await keptByUs(root), keptByGit(root)];
    for (const directory of ["a", "b", "build", "in"]) rmSync(join(root, directory), { recursive: true });
    expect(ours).toEqual(theirs);
  });
  await fc.assert(property, { numRuns: 60 });
});
