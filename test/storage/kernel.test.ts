import { execFileSync } from "node:child_process";
import { chmodSync, closeSync, linkSync, openSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { kernel } from "../../src/storage/local/jail/kernel.ts";
import { type EntryRef, entryRefIn } from "../../src/storage/local/entry-ref.ts";
import { CONTAINMENTS, openWriter } from "./writer-cases.ts";
import { needs } from "../programs.ts";

const bytes = Buffer.from("new");
const attributesOf = (path: string): string => execFileSync("getfattr", ["-dm-", path], { encoding: "utf8" });
const listOf = (path: string): string => execFileSync("getfacl", ["-cp", path], { encoding: "utf8" });

/** Refers to an entry by its path, and by an open directory. */
const WAYS: readonly {
  readonly way: string;
  readonly through: (path: string, use: (ref: EntryRef) => void) => void;
}[] = [
  { way: "by paths", through: (path, use) => use(entryRefIn({ fsPath: dirname(path) }, basename(path))) },
  {
    way: "by open directories",
    through(path, use) {
      const fd = openSync(dirname(path), "r");
      try {
        use(entryRefIn({ fsPath: `/proc/self/fd/${fd}`, fd }, basename(path)));
      } finally {
        closeSync(fd);
      }
    },
  },
];

describe.each(WAYS)("system calls through koffi, $way", ({ through }) => {
  const calls = kernel();

  it("are available on Linux where koffi is installed", () => {
    expect(calls === null).toBe(process.platform !== "linux");
  });

  it("swap two files", () => {
    const { at } = openWriter("handle", ["a = one", "b = two"]);
    through(at("a"), (one) => through(at("b"), (other) => calls?.exchange(one, other)));
    expect([readFileSync(at("a"), "utf8"), readFileSync(at("b"), "utf8")]).toEqual(["two", "one"]);
  });

  it.each([
    { from: "file", to: "dir", code: "EEXIST" },
    { from: "file", to: "link", code: "EEXIST" },
    { from: "file", to: "file", code: "EEXIST" },
    { from: "nope", to: "new", code: "ENOENT" },
    { from: "dir", to: "dir/new", code: "EINVAL" },
  ])("$from is not renamed to $to: $code", ({ from, to, code }) => {
    const { at } = openWriter("handle", ["file", "dir/", "link => nope"]);
    const rename = (): void => through(at(from), (one) => through(at(to), (other) => calls?.renameNew(one, other)));
    expect(rename).toThrow(code);
    expect(readFileSync(at("file"), "utf8")).toBe("file");
  });
});

describe.each(CONTAINMENTS)("extended attributes and access control lists, %s", (containment) => {
  it("are copied to replacements and to copies", async () => {
    needs("setfattr", "getfattr", "setfacl", "getfacl");
    const { writer, at, object } = openWriter(containment, ["file", "dir/file"]);
    for (const way of ["file", "dir", "dir/file"]) {
      execFileSync("setfattr", ["-n", "user.tag", "-v", "mine", at(way)]);
      execFileSync("setfacl", ["-m", "u:12345:rw", at(way)]);
    }
    linkSync(at("file"), at("twin"));
    await writer.stage(at("like"), { bytes }, { like: at("file") });
    await writer.stage(at("copy"), { copyOf: at("file") }, {});
    await writer.stage(at("tree"), { copyOf: at("dir") }, {});
    writer.backUp(at("file"), object("a"));
    writer.move(object("a"), at("kept"), "new");
    const copies = ["like", "copy", "tree", "tree/file", "kept"].map((way) => at(way));
    expect(copies.map((path) => attributesOf(path).includes('user.tag="mine"'))).toEqual(copies.map(() => true));
    expect(copies.map((path) => listOf(path).includes("user:12345:rw-"))).toEqual(copies.map(() => true));
  });

  it("are not inherited from the directory", async () => {
    needs("setfacl", "getfacl");
    const { writer, at } = openWriter(containment, ["in/file", "dir/file"]);
    for (const way of ["in/file", "dir", "dir/file"]) chmodSync(at(way), 0o750);
    execFileSync("setfacl", ["-d", "-m", "u:12345:rwx", at("in")]);
    await writer.stage(at("in/like"), { bytes }, { like: at("in/file") });
    await writer.stage(at("in/copy"), { copyOf: at("in/file") }, {});
    await writer.stage(at("in/tree"), { copyOf: at("dir") }, {});
    const copies = ["in/like", "in/copy", "in/tree", "in/tree/file"].map((way) => at(way));
    expect(copies.map(listOf)).toEqual(copies.map(() => "user::rwx\ngroup::r-x\nother::---\n\n"));
  });

  it("are not copied from the target of a link", async () => {
    needs("setfattr", "getfattr");
    const { writer, at } = openWriter(containment, ["link => ../outside/file", "../outside/file"]);
    execFileSync("setfattr", ["-n", "user.tag", "-v", "theirs", at("../outside/file")]);
    await writer.stage(at("copy"), { copyOf: at("link") }, {});
    expect(attributesOf(at("../outside/file"))).toContain("theirs");
    expect(execFileSync("getfattr", ["-hdm-", at("copy")], { encoding: "utf8" })).toBe("");
  });
});
