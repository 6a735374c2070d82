import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type RunOptions, runAlone } from "../contracts/run-alone.ts";
import { layout } from "../layout.ts";
import { needs } from "../programs.ts";

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

type Step = readonly [string, ...unknown[]];

function use(root: string, steps: readonly Step[], alone: RunOptions, state = join(dirname(root), "state")): unknown[] {
  chmodSync(dirname(root), 0o755);
  const orders = { root, stateDirectory: state, steps };
  return runAlone("test/privileged/fixtures/use-writer.ts", orders, alone) as unknown[];
}

/** Mounts a small disk at the root, as the script says, in a mount namespace that ends with the process. */
function onOwnDisk(script: string, steps: readonly Step[], tree: readonly string[] = []): unknown[] {
  const root = layout(tree);
  const user = isRoot ? [] : ["--user", "--map-root-user"];
  const prepare = `set -e; root="$1"; shift; cd "$root"; ${script}; cd "$root/.."; exec "$@"`;
  const through = ["unshare", ...user, "--mount", "--propagation", "private", "sh", "-c", prepare, "sh", root];
  return use(root, steps, { through });
}

const SMALL = 'mount -t tmpfs -o size=256k none "$root"; cd "$root"';
const TOO_MUCH = { fill: 1 << 20 };

it("leaves nothing behind when the disk is full", () => {
  const plant = `${SMALL}; mkdir dir; printf text > file; printf text > twin; ln twin twin2
    head -c 100000 /dev/zero > dir/one; head -c 50000 /dev/zero > dir/two; ln dir/one one`;
  const steps: Step[] = [
    ["stage", "./new", { bytes: TOO_MUCH }, {}],
    ["stage", "@new", { bytes: TOO_MUCH }, {}],
    ["stage", "./new", { copyOf: "./dir" }, {}],
    ["stage", "@new", { copyOf: "./dir" }, {}],
    ["append", "./file", TOO_MUCH, 4],
    ["stage", "./filler", { bytes: { fill: 60_000 } }, {}],
    ["backUp", "./one", "@one"],
    ["stat", "./new"],
    ["stat", "@new"],
    ["stat", "@one"],
    ["stage", "./new", { copyOf: "./file" }, {}],
    ["stage", "@new", { copyOf: "./new" }, {}],
    ["contentOf", "@new"],
  ];
  expect(onOwnDisk(plant, steps)).toEqual([
    ...Array.from({ length: 5 }, () => "disk_full"),
    "done",
    "disk_full",
    ...Array.from({ length: 3 }, () => "done"),
    "done",
    "done",
    "text",
  ]);
});

it("keeps the attributes of a file that its owner may not write to", () => {
  needs("setfattr", "getfattr");
  const root = layout(["file"]);
  execFileSync("setfattr", ["-n", "user.tag", "-v", "mine", join(root, "file")]);
  chmodSync(join(root, "file"), 0o444);
  if (isRoot) for (const path of [dirname(root), root, join(root, "file")]) chownSync(path, NOBODY, NOBODY);
  const steps: Step[] = [
    ["stage", "./like", { bytes: { fill: 1 } }, { like: "./file" }],
    ["stage", "./copy", { copyOf: "./file" }, {}],
  ];
  expect(use(root, steps, isRoot ? { uid: NOBODY, gid: NOBODY } : {})).toEqual(["done", "done"]);
  const attributes = (name: string) => execFileSync("getfattr", ["-dm-", join(root, name)], { encoding: "utf8" });
  expect(["like", "copy"].filter((name) => !attributes(name).includes('user.tag="mine"'))).toEqual([]);
});

it("says that a disk is read-only", () => {
  const plant = `${SMALL}; mkdir dir; printf text > file; printf text > other; mount -o remount,ro "$root"`;
  const steps: Step[] = [
    ["isSameDisk", "./file", "./dir/new"],
    ["stage", "./new", { bytes: { fill: 1 } }, {}],
    ["stage", "./new", { copyOf: "./dir" }, {}],
    ["stage", "./new", { copyOf: "./file" }, {}],
    ["move", "./file", "./new", "new"],
    ["move", "./dir", "./new", "new"],
    ["move", "./file", "./other", "over"],
    ["backUp", "./file", "@file"],
    ["makeDirectory", "./new"],
    ["setMode", "./file", 0o600],
    ["append", "./file", { fill: 1 }, 4],
    ["truncate", "./file", 0],
    ["remove", "./file"],
    ["remove", "./dir"],
    ["erase", "./dir"],
    ["isEmpty", "./dir"],
  ];
  const refused = Array.from({ length: 7 }, () => "read_only");
  // The store of such a root is elsewhere, so that a backup can be made.
  expect(onOwnDisk(plant, steps)).toEqual([true, ...refused.slice(1), "done", ...refused, true]);
});

it("keeps things in the root when the state is on another disk, so that a move is one rename", () => {
  const plant = `${SMALL}; mkdir dir; printf text > dir/file; printf text > file; printf other > other`;
  const steps: Step[] = [
    ["objectFor", "./file", "objects", "x"],
    ["isSameDisk", "./file", "@x"],
    ["backUp", "./file", "@x"],
    ["move", "./other", "./file", "over"],
    ["contentOf", "@x"],
    ["move", "./dir", "@dir", "new"],
    ["move", "@dir", "./back", "new"],
    ["move", "@x", "./file", "over"],
    ["isEmpty", "./.holdfast-store/objects"],
  ];
  expect(onOwnDisk(plant, steps)).toEqual([
    expect.stringMatching(/^[0-9a-f]{12}\/objects\/x$/),
    true,
    "done",
    "done",
    "text",
    "done",
    "done",
    "done",
    true,
  ]);
});

it("goes from disk to disk only where it can", () => {
  const plant = 'mount -t tmpfs -o size=256k none "$root/far"; printf text > "$root/far/file"; mkdir "$root/far/dir"';
  const steps: Step[] = [
    ["objectFor", "./far/file", "objects", "x"],
    ["isSameDisk", "./far/file", "@x"],
    ["isSameDisk", "./far/file", "./far/dir/x"],
    ["backUp", "./far/file", "@x"],
    ["contentOf", "@x"],
    ["truncate", "./far/file", 1],
    ["move", "@x", "./far/file", "over"],
    ["stat", "@x"],
    ["stage", "@y", { copyOf: "./far/file" }, {}],
    ["contentOf", "@y"],
    ["move", "./far/file", "./new", "new"],
    ["move", "./far/dir", "./new", "new"],
    ["stat", "./new"],
    ["stage", "./new", { copyOf: "./far" }, {}],
    ["isEmpty", "./new/dir"],
  ];
  expect(onOwnDisk(plant, steps, ["far/"])).toEqual([
    "state/objects/x",
    false,
    true,
    "done",
    "text",
    "done",
    "done",
    "done",
    "done",
    "text",
    "io",
    "io",
    "done",
    "done",
    true,
  ]);
});

/** Runs it as another user, because root may do everything. */
const somebody: RunOptions = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

function give(path: string): void {
  if (isRoot) chownSync(path, NOBODY, NOBODY);
}

/** Opens the permissions again after the test: what is closed to us cannot be cleaned up. */
function setMode(path: string, mode: number): void {
  chmodSync(path, mode);
  onTestFinished(() => {
    if (existsSync(path)) chmodSync(path, 0o755);
  });
}

it("says what the system forbids", () => {
  const root = layout(["closed/file = text", "closed/full/file", "blind/file", "mine"]);
  give(root);
  give(join(root, "mine"));
  for (const way of ["closed", "closed/full", "closed/file"]) setMode(join(root, way), 0o555);
  setMode(join(root, "blind"), 0o000);
  const steps: Step[] = [
    ["stage", "./closed/new", { bytes: { fill: 1 } }, {}],
    ["stage", "./closed/new", { copyOf: "./closed" }, {}],
    ["stage", "./new", { copyOf: "./blind" }, {}],
    ["move", "./closed/file", "./new", "new"],
    ["move", "./mine", "./closed/new", "new"],
    ["move", "./mine", "./closed/file", "over"],
    ["makeDirectory", "./closed/new"],
    ["append", "./closed/file", { fill: 1 }, 4],
    ["truncate", "./closed/file", 0],
    ["remove", "./closed/file"],
    ["stat", "./blind/file"],
    ["stat", "./new"],
    ["isEmpty", "./closed/full"],
  ];
  const state = join(dirname(root), "state");
  mkdirSync(state);
  give(state);
  expect(use(root, steps, somebody)).toEqual([...Array.from({ length: 11 }, () => "no_permission"), "done", false]);
});

it("erases directories that are closed to their owner", () => {
  const root = layout(["dir/one/a/file", "dir/two/b/file", "state/"]);
  for (const way of ["", "state", "dir", "dir/one", "dir/one/a", "dir/two", "dir/two/b"]) give(join(root, way));
  for (const way of ["one/a", "two", "two/b", "one", ""])
    setMode(join(root, "dir", way), way === "two" ? 0o000 : 0o500);
  expect(use(root, [["erase", "./dir"]], somebody, join(root, "state"))).toEqual(["done"]);
  expect(existsSync(join(root, "dir"))).toBe(false);
});

it("leaves nothing of a copy with closed directories that fails", () => {
  const closed = Array.from({ length: 20 }, (_, index) => `dir/${index}`);
  const root = layout([...closed.map((way) => `${way}/file`), "state/", "dir/secret"]);
  for (const way of ["", "state", ...closed]) give(join(root, way));
  for (const way of closed) setMode(join(root, way), 0o555);
  setMode(join(root, "dir/secret"), 0o000);
  const steps: Step[] = [["stage", "./new", { copyOf: "./dir" }, {}]];
  expect(use(root, steps, somebody, join(root, "state"))).toEqual(["no_permission"]);
  expect(readdirSync(root).toSorted()).toEqual(["dir", "state"]);
});

it.runIf(isRoot)("lends nobody's rights: a copy that cannot have the owner is no setuid program", () => {
  const root = layout(["program", "state/", "beside/"]);
  writeFileSync(join(root, "linked"), "twin");
  for (const name of ["program", "linked"]) setMode(join(root, name), 0o6755);
  for (const way of ["state", "beside"]) give(join(root, way));
  const steps: Step[] = [
    ["stage", "./beside/copy", { copyOf: "./program" }, {}],
    ["stage", "./beside/like", { bytes: { fill: 1 } }, { like: "./program" }],
  ];
  expect(use(root, steps, somebody, join(root, "state"))).toEqual(["done", "done"]);
  const made = ["copy", "like"].map((name) => lstatSync(join(root, "beside", name)));
  expect(made.map(({ uid, mode }) => [uid, mode & 0o7777])).toEqual([
    [NOBODY, 0o755],
    [NOBODY, 0o755],
  ]);
});
