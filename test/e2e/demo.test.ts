import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
import { WITH_OWN_MOUNTS } from "../contracts/run-alone.ts";
import { needs, needsOwnMounts, notRun } from "../programs.ts";
import { scratch } from "../runtime/scratch.ts";
import { bareEnv, BIN, own, run } from "./bin.ts";

const COMMANDS = "Commands that go wrong, taken back";
const GOOD_END = "Done. Everything above really happened.";

/** Returns the stops of the part about commands, without their times. */
const commandStopsIn = (out: string): readonly string[] =>
  linesBetween(out, COMMANDS, GOOD_END)
    .filter((line) => /^\S/u.test(line))
    .map((line) => line.replace(/ {2}[\d.]+ ms$/, ""));

const linesBetween = (out: string, from: string, to: string): readonly string[] =>
  out.slice(out.indexOf(from) + from.length, out.indexOf(to)).split("\n");

it("does what it shows, and leaves nothing behind", async () => {
  const root = scratch();
  const temporary = join(root, "tmp");
  mkdirSync(temporary);
  writeFileSync(join(temporary, "mine.txt"), "");
  const { code, out, err } = await run(["demo"], own(root, { TMPDIR: temporary }));
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain(GOOD_END);
  expect(out.slice(0, out.indexOf(COMMANDS)).match(/^\u2713 /gm)).toHaveLength(18);
  expect(out).toContain("20 of 20 edits landed");
  expect(out).not.toContain("\u2717");
  expect(out).not.toContain("the secret");
  expect(readdirSync(temporary)).toEqual(["mine.txt"]);
});

it("takes back commands that go wrong, within a second each", async () => {
  needs("bwrap", "git");
  needsNpm();
  const { out } = await run(["demo"], own(scratch()));
  expect(commandStopsIn(out)).toEqual([...REMOVAL, ...RESET, ...INSTALL]);
  const undone = [...out.matchAll(/ undo \{\} {2}([\d.]+) ms$/gm)].slice(-3).map(([, ms]) => Number(ms));
  expect(undone.filter((ms) => ms < 1000)).toHaveLength(3);
});

const REMOVAL = [
  '\u2713 rm -rf of everything  exec {"command":"rm -rf *"}',
  "\u2713 … and all of it is back, byte for byte  undo {}",
];
const RESET = [
  '\u2713 git reset --hard over a day of work  exec {"command":"git reset --hard","workdir":"shop"}',
  "\u2713 … and the work is back  undo {}",
  '\u2713 … as git says  exec {"command":"git --no-optional-locks status --short","workdir":"shop"}',
];
const INSTALL = [
  '\u2713 npm install of a package that deletes the sources  exec {"command":"npm install ./tidy","workdir":"shop"}',
  "\u2713 … and it is as if it had never run  undo {}",
];

/** Commands have a temporary directory of their own: they do not find programs that are installed in ours. */
function needsNpm(): void {
  const path = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !folder.startsWith(tmpdir()));
  const { status } = spawnSync("npm", ["--version"], { env: { ...process.env, PATH: path.join(delimiter) } });
  if (status !== 0) notRun("npm outside the temporary directory");
}

it.each([
  { without: ["git"], stops: [...REMOVAL, "– Not shown: git does not run here"] },
  { without: ["npm"], stops: ["– Not shown: npm does not run here"] },
  {
    without: ["bwrap", "unshare"],
    stops: [
      "– Not shown: commands work on the files themselves here, so that nothing could be taken back; " +
        "holdfast doctor says how to change that",
    ],
  },
])("says what cannot be shown without $without, and goes on", ({ without, stops }) => {
  needs("bwrap", "git");
  needsOwnMounts(WITH_OWN_MOUNTS);
  const { status, out } = demoWithout(without);
  expect(status).toBe(0);
  expect(commandStopsIn(out)).toEqual(expect.arrayContaining(stops));
});

/** Runs the tour where programs cannot be started: something else is mounted on each, wherever it is found. */
function demoWithout(programs: readonly string[]) {
  const hide = `for file in $(type -ap ${programs.join(" ")} | xargs realpath | sort -u); do
    mount --bind /dev/null "$file" || exit
  done
  exec "$@"`;
  const [file, ...words] = [...WITH_OWN_MOUNTS, "bash", "-c", hide, "bash", process.execPath, BIN, "demo"];
  const { status, stdout } = spawnSync(file, words, { ...own(scratch()), env: bareEnv(), encoding: "utf8" });
  return { status, out: stdout };
}
