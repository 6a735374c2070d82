import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import type { Capabilities, Facts, LastLink, OpenFile, SafePath, Storage } from "../storage/storage.ts";
import { HOUR_MS } from "../base/time.ts";
import { codeOf, withoutAccess } from "./picture.ts";
import type { TestFunctions } from "./test-functions.ts";

const TREE = [
  "file",
  "empty = ",
  "dir/below/deep",
  "dir/beside",
  "beside",
  "to-file => dir/beside",
  "to-dir => dir/below",
  "to-root => .",
  "by-name => $ABS/dir/beside",
  "to-nothing => nope",
  "loop => loop",
  "out => ../outside",
];

const BIG = "0123456789".repeat(60_000);

/**
 * Tests what every Storage promises. Leaves out links where there are none. `make` builds a tree in the notation of
 * `treeEntries`, below a root that is named ROOT.
 */
export function storageSuite({ describe, it }: TestFunctions, capabilities: Capabilities, make: Make): void {
  describe(`Storage: ${capabilities.containment}`, () => {
    it("says what it can do", () => {
      const storage = make([]);
      deepEqual(storage.capabilities, capabilities);
      equal(storage.roots.length, 1);
      match(storage.roots[0] ?? "", /^\/.*\/ROOT$/);
    });
    const { symlinks } = capabilities;
    const without = symlinks ? make : (tree: readonly string[]) => make(tree.filter(hasNoLink));
    const reached: Reached = (rows) => (symlinks ? rows : rows.filter(({ path }) => !LINK.test(path)));
    statTests(it, without, reached);
    destinationTests(it, without, reached);
    factTests(it, without);
    if (symlinks) linkTests(it, without);
    fileTests(it, without, reached);
    readTests(it, without);
    directoryTests(it, without, reached);
    handleTests(it, without);
    concurrencyTests(it, without);
  });
}

type Make = (tree: readonly string[]) => Storage;
type It = TestFunctions["it"];

/** Leaves out what a storage without links cannot have. */
type Reached = <Row extends { readonly path: string }>(rows: readonly Row[]) => readonly Row[];

const hasNoLink = (line: string): boolean => !line.includes(" => ");
const LINK = /^(?:to-|by-name|loop|out|link)/;

const at = ({ roots: [root] }: Storage, path: string): SafePath => (path === "" ? root : `${root}/${path}`) as SafePath;
const relativePathOf = ({ roots: [root = ""] }: Storage, { path }: Facts): string => path.slice(root.length + 1);

function statTests(it: It, make: Make, reached: Reached): void {
  for (const { path, follow, keep = follow } of reached<{ path: string; follow: string | null; keep?: string }>([
    { path: "", follow: "directory " },
    { path: "file", follow: "file file" },
    { path: "dir/below/deep", follow: "file dir/below/deep" },
    { path: "dir", follow: "directory dir" },
    { path: "dir/.", follow: "directory dir" },
    { path: "dir/..", follow: "directory " },
    { path: "dir/below/../beside", follow: "file dir/beside" },
    { path: "nope", follow: null },
    { path: "nope/.", follow: null },
    { path: "dir/nope", follow: null },
    { path: "nope/below", follow: "not_found" },
    { path: "nope/..", follow: "not_found" },
    { path: "file/.", follow: "not_a_directory" },
    { path: "file/below", follow: "not_a_directory" },
    { path: "file/..", follow: "not_a_directory" },
    { path: "to-file", follow: "file dir/beside", keep: "symlink to-file" },
    { path: "to-file/.", follow: "not_a_directory" },
    { path: "to-dir", follow: "directory dir/below", keep: "symlink to-dir" },
    { path: "to-dir/.", follow: "directory dir/below" },
    { path: "to-dir/deep", follow: "file dir/below/deep" },
    { path: "to-dir/nope", follow: null },
    { path: "to-dir/..", follow: "directory dir" },
    { path: "to-dir/../beside", follow: "file dir/beside" },
    { path: "to-root/to-root/file", follow: "file file" },
    { path: "by-name", follow: "file dir/beside", keep: "symlink by-name" },
    { path: "to-nothing", follow: null, keep: "symlink to-nothing" },
    { path: "to-nothing/below", follow: "not_found" },
    { path: "loop", follow: "outside_workspace", keep: "symlink loop" },
    { path: "out", follow: "outside_workspace", keep: "symlink out" },
    { path: "out/below", follow: "outside_workspace" },
  ]))
    it(`stats ${path}`, async () => {
      const storage = make(TREE);
      const look = async (last: LastLink) => {
        const facts = await storage.stat(at(storage, path), last);
        return facts && `${facts.kind} ${relativePathOf(storage, facts)}`;
      };
      deepEqual(
        {
          follow: await look("follow").catch(codeOf),
          keep: await look("keep").catch(codeOf),
        },
        { follow, keep },
      );
    });
}

function destinationTests(it: It, make: Make, reached: Reached): void {
  for (const { path, follow, keep = follow } of reached<{ path: string; follow: string; keep?: string }>([
    { path: "", follow: "directory " },
    { path: "file", follow: "file file" },
    { path: "dir/.", follow: "directory dir" },
    { path: "to-file", follow: "file dir/beside", keep: "symlink to-file" },
    { path: "nope", follow: "nothing nope" },
    { path: "nope/.", follow: "nothing nope" },
    { path: "a/b/c", follow: "nothing a a/b a/b/c" },
    { path: "to-dir/nope", follow: "nothing dir/below/nope" },
    { path: "to-nothing", follow: "nothing nope", keep: "symlink to-nothing" },
    { path: "to-nothing/below", follow: "nothing nope nope/below" },
    { path: "nope/../file", follow: "not_found" },
    { path: "file/below", follow: "not_a_directory" },
    { path: "loop", follow: "outside_workspace", keep: "symlink loop" },
    { path: "out", follow: "outside_workspace", keep: "symlink out" },
    { path: "out/below", follow: "outside_workspace" },
  ]))
    it(`resolves ${path}`, async () => {
      const storage = make(TREE);
      const [root = ""] = storage.roots;
      const lead = async (last: LastLink) => {
        const { place, facts, missing } = await storage.destination(at(storage, path), last);
        const paths = [...missing, place].map((each) => each.slice(root.length + 1));
        return [facts?.kind ?? "nothing", ...paths].join(" ");
      };
      deepEqual(
        {
          follow: await lead("follow").catch(codeOf),
          keep: await lead("keep").catch(codeOf),
        },
        { follow, keep },
      );
    });
}

function factTests(it: It, make: Make): void {
  it("returns all facts, the same for every path to one object", async () => {
    const storage = make(["file", "link => file"]);
    const paths = storage.capabilities.symlinks ? ["file", "link"] : ["file"];
    const found = (await storage.stat(at(storage, "file"), "follow")) as Facts;
    const { modifiedMs, createdMs, accessedMs, mode, owner, identity, times, ...rest } = found;
    deepEqual(rest, { path: at(storage, "file"), kind: "file", size: 4, links: 1 });
    for (const time of [modifiedMs, createdMs, accessedMs]) ok(Math.abs(time - Date.now()) < HOUR_MS);
    deepEqual([typeof mode, typeof owner, typeof identity, typeof times], ["number", "string", "string", "string"]);
    for (const path of paths) deepEqual(await storage.stat(at(storage, path), "follow"), found);
    for (const path of paths) deepEqual(await storage.withFile(at(storage, path), async (file) => file.facts), found);
    deepEqual(
      await storage.withDirectory(at(storage, ""), async ({ stat }) => stat({ name: "file", kind: "file" })),
      found,
    );
  });

  it("gives objects distinct identities", async () => {
    const storage = make(["a/x", "b/x", "link => a/x"]);
    const paths = ["a", "b", "a/x", "b/x", ...(storage.capabilities.symlinks ? ["link"] : [])];
    const looked = await Promise.all(paths.map((path) => storage.stat(at(storage, path), "keep")));
    equal(new Set(looked.map((facts) => facts?.identity)).size, paths.length);
  });
}

function linkTests(it: It, make: Make): void {
  for (const { name, from, climb } of [
    { name: "relative", from: "", climb: "../ROOT/" },
    { name: "absolute", from: "$ABS/", climb: "../ROOT/" },
    { name: "absolute, with dots", from: "$ABS/", climb: "d/../" },
    { name: "above the root", from: "/", climb: "../d/" },
  ])
    it(`is not slowed down by links that climb and climb: ${name}`, async () => {
      const climbs = climb.repeat(4000 / climb.length - 8);
      const links = Array.from({ length: 39 }, (_, index) => `${index} => ${from}${index + 1}/${climbs}`).concat("d/");
      const storage = make([...links, `39 => ${from || "."}`]);
      const spent = workFromNow();
      await storage.stat(at(storage, "0"), "follow").catch(codeOf);
      ok(spent() < 2000);
    });
}

/** Returns the milliseconds of work that this process has done since. */
function workFromNow(): () => number {
  const started = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1000;
  };
}

const whole = async (file: OpenFile): Promise<string> => {
  const bytes = Buffer.alloc(file.facts.size + 1);
  return bytes.toString("utf8", 0, await file.read(bytes, 0));
};

function fileTests(it: It, make: Make, reached: Reached): void {
  for (const { path, gives } of reached([
    { path: "file", gives: "file" },
    { path: "empty", gives: "" },
    { path: "dir/../file", gives: "file" },
    { path: "to-file", gives: "dir/beside" },
    { path: "to-dir/deep", gives: "dir/below/deep" },
    { path: "to-dir/../beside", gives: "dir/beside" },
    { path: "by-name", gives: "dir/beside" },
    { path: "", gives: "not_a_file" },
    { path: "dir", gives: "not_a_file" },
    { path: "to-dir", gives: "not_a_file" },
    { path: "nope", gives: "not_found" },
    { path: "nope/below", gives: "not_found" },
    { path: "file/.", gives: "not_a_directory" },
    { path: "file/below", gives: "not_a_directory" },
    { path: "to-nothing", gives: "not_found" },
    { path: "loop", gives: "outside_workspace" },
    { path: "out", gives: "outside_workspace" },
    { path: "out/below", gives: "outside_workspace" },
  ]))
    it(`opens the file ${path}`, async () => {
      const storage = make(TREE);
      equal(await storage.withFile(at(storage, path), whole).catch(codeOf), gives);
    });
}

function readTests(it: It, make: Make): void {
  for (const { position, length, gives } of [
    { position: 0, length: 10, gives: "0123456789" },
    { position: 3, length: 4, gives: "3456" },
    { position: 599_995, length: 10, gives: "56789" },
    { position: 600_000, length: 10, gives: "" },
    { position: 9_000_000_000, length: 10, gives: "" },
    { position: 7, length: 0, gives: "" },
    { position: 0, length: 600_000, gives: BIG },
    { position: 1, length: 700_000, gives: BIG.slice(1) },
  ])
    it(`reads ${length} bytes from ${position} on`, async () => {
      const storage = make([`big = ${BIG}`]);
      const into = Buffer.alloc(length + 1, "~");
      const count = await storage.withFile(at(storage, "big"), (file) => file.read(into.subarray(0, length), position));
      equal(into.toString("utf8", 0, count) === gives, true);
      equal(
        into.subarray(count).every((byte) => byte === 0x7e),
        true,
      );
    });

  it("passes on the result of the callback, and its error", async () => {
    const storage = make(["file"]);
    equal(await storage.withFile(at(storage, "file"), async () => 7), 7);
    const broken = storage.withFile(at(storage, "file"), fail);
    await rejects(broken, MINE);
  });
}

const MINE = new Error("mine");
const fail = () => Promise.reject(MINE);

function directoryTests(it: It, make: Make, reached: Reached): void {
  for (const { path, gives } of reached<{ path: string; gives: readonly string[] | string }>([
    { path: "", gives: ["dir directory", "file file", "link symlink"] },
    { path: "dir", gives: ["below directory"] },
    { path: "dir/below", gives: [] },
    { path: "dir/below/..", gives: ["below directory"] },
    { path: "link", gives: ["below directory"] },
    { path: "link/.", gives: ["below directory"] },
    { path: "file", gives: "not_a_directory" },
    { path: "file/.", gives: "not_a_directory" },
    { path: "nope", gives: "not_found" },
    { path: "nope/below", gives: "not_found" },
  ]))
    it(`lists the directory ${path}`, async () => {
      const storage = make(["file", "dir/below/", "link => dir"]);
      const listed = storage.withDirectory(at(storage, path), async (directory) =>
        (await directory.entries()).map(({ name, kind }) => `${name} ${kind}`).toSorted(),
      );
      const isThere = (line: string): boolean => storage.capabilities.symlinks || !line.endsWith("symlink");
      deepEqual(await listed.catch(codeOf), typeof gives === "string" ? gives : gives.filter(isThere));
    });
}

function handleTests(it: It, make: Make): void {
  it("reads entries and enters directories through open handles", async () => {
    const storage = make(["dir/below/deep/", "dir/link => below", "dir/file"]);
    const seen = await storage.withDirectory(at(storage, "dir"), async (directory) => {
      const looked = (await directory.entries()).map((entry) => directory.stat(entry) as Facts);
      const below = { name: "below", kind: "directory" } as const;
      const within = await directory.withDirectory(below, async (inner) => [
        withoutAccess(inner.facts()),
        ...(await inner.entries()),
      ]);
      return { looked: looked.map((facts) => `${facts.kind} ${relativePathOf(storage, facts)}`).toSorted(), within };
    });
    deepEqual(seen, {
      looked: ["directory dir/below", "file dir/file", ...(storage.capabilities.symlinks ? ["symlink dir/link"] : [])],
      // Reading it changes the access time.
      within: [
        withoutAccess((await storage.stat(at(storage, "dir/below"), "keep")) as Facts),
        { name: "deep", kind: "directory" },
      ],
    });
  });

  for (const { name, looks: kind } of [
    { name: "file", looks: "file" },
    { name: "link", looks: "symlink" },
    { name: "nope", looks: undefined },
  ])
    it(`does not enter the entry ${name}`, async () => {
      const storage = make(["file", "dir/", "link => dir"]);
      const entry = { name, kind: "directory" } as const;
      await storage.withDirectory(at(storage, ""), async (directory) => {
        equal(directory.stat(entry)?.kind, storage.capabilities.symlinks || kind !== "symlink" ? kind : undefined);
        equal(await directory.withDirectory(entry, async () => "entered").catch(codeOf), "swapped");
      });
    });

  it("passes on the result in a directory, and its error", async () => {
    const storage = make(["dir/"]);
    equal(await storage.withDirectory(at(storage, "dir"), async () => 7), 7);
    await rejects(storage.withDirectory(at(storage, "dir"), fail), MINE);
    const inside = storage.withDirectory(at(storage, ""), ({ withDirectory }) =>
      withDirectory({ name: "dir", kind: "directory" }, fail),
    );
    await rejects(inside, MINE);
  });
}

function concurrencyTests(it: It, make: Make): void {
  it("serves many calls at once", async () => {
    const names = Array.from({ length: 200 }, (_, index) => `dir/file-${index}`);
    const storage = make([...names, "link => dir"]);
    const link = storage.capabilities.symlinks ? "link" : "dir";
    const reads = names.map((name) => storage.withFile(at(storage, name), whole));
    const looked = names.map((name) => storage.stat(at(storage, name.replace("dir", link)), "follow"));
    const listed = names.map(() => storage.withDirectory(at(storage, link), ({ entries }) => entries()));
    deepEqual(await Promise.all(reads), names);
    deepEqual(
      (await Promise.all(looked)).map((facts) => relativePathOf(storage, facts as Facts)),
      names,
    );
    deepEqual(
      (await Promise.all(listed)).map((entries) => entries.length),
      names.map(() => names.length),
    );
  });

  it("reads one file at several places at once", async () => {
    const storage = make([`big = ${BIG}`]);
    const positions = Array.from({ length: 50 }, (_, index) => index * 12_345 + index);
    const parts = await storage.withFile(at(storage, "big"), (file) =>
      Promise.all(
        positions.map(async (position) => {
          const into = Buffer.alloc(300_000);
          return into.toString("utf8", 0, await file.read(into, position));
        }),
      ),
    );
    const isRight = (part: string, index: number) => part === BIG.substring(positions[index] ?? 0).slice(0, 300_000);
    deepEqual(
      parts.map(isRight),
      positions.map(() => true),
    );
  });
}
