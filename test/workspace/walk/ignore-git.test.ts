import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { callerOn, scratch } from "../../runtime/scratch.ts";
import { needs } from "../../programs.ts";

type Files = Readonly<Record<string, string>>;

/** Keeps git from reading the configuration of the user. */
const ISOLATED = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null", LC_ALL: "C" };

function git(root: string, args: readonly string[], input = ""): string {
  const flags = ["-C", root, "-c", "core.quotePath=false", "-c", "core.excludesFile=/dev/null"];
  return spawnSync("git", [...flags, ...args], { env: ISOLATED, encoding: "utf8", input }).stdout;
}

/** Asks git which files it does not ignore. */
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

/** Has only ASCII names: "?" matches a byte in git, a character in Holdfast. */
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
])("%j means the same as in git", async (rules) => {
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

it("nested ignore files mean the same as in git", async () => {
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
