import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { Fault } from "../../src/base/errors.ts";
import { openRoots } from "../../src/storage/local/jail/roots.ts";
import { layout } from "../layout.ts";

const TREE = [
  "../one/inner/",
  "../two/",
  "../deep => one/inner",
  "../file",
  "../link => one",
  "../gone => nope",
  "../loop => loop",
];
const top = () => dirname(layout(TREE));

it.each([
  { name: "a directory", given: "one", real: "one" },
  { name: "a link to one", given: "link", real: "one" },
  { name: "with a slash", given: "one/", as: "one", real: "one" },
  { name: "with dots", given: "one/../two/.", as: "two", real: "two" },
])("takes $name as a root", ({ given, as = given, real }) => {
  const at = top();
  expect(openRoots([`${at}/${given}`])).toEqual({
    roots: [{ given: join(at, as), real: join(at, real) }],
    skipped: [],
  });
});

it.each([
  { name: "nothing", given: "nope", reason: "it does not exist" },
  { name: "a file", given: "file", kind: "not_a_directory", reason: "it is not a directory" },
  { name: "below a file", given: "file/below", reason: "a file is in the way" },
  { name: "a link to nothing", given: "gone", reason: "it does not exist" },
  { name: "a link to itself", given: "loop", reason: expect.stringContaining("ELOOP") },
  { name: "a path with NUL", given: "on\0e", reason: expect.stringContaining("null bytes") },
])("skips $name and says why", ({ given, kind = "inaccessible", reason }) => {
  const at = top();
  const one = join(at, "one");
  const skipped = { given: `${at}/${given}`, kind, reason };
  expect(openRoots([skipped.given, one])).toEqual({ roots: [{ given: one, real: one }], skipped: [skipped] });
});

it("skips an empty name: an unset variable must not open the working directory", () => {
  const one = join(top(), "one");
  expect(openRoots(["", one])).toMatchObject({ roots: [{ given: one }], skipped: [{ given: "" }] });
});

it.each([
  { name: "none is given", given: [], says: "none was given" },
  { name: "none can be used", given: ["nope", "file"], says: '/nope": it does not exist; "' },
])("fails when $name", ({ given, says }) => {
  const at = top();
  const open = () => openRoots(given.map((name) => join(at, name)));
  expect(open).toThrow(Fault);
  expect(open).toThrow(says);
});

it("keeps roots apart, nested ones too, and the same one once", () => {
  const at = top();
  const given = ["one", "two", ".", "one"].map((name) => join(at, name));
  expect(openRoots(given).roots.map(({ real }) => real)).toEqual(given.slice(0, 3));
});

it.each(["link", "link/.", "one/../link", "deep/.."])("gives %s a name that leads to its real place", (name) => {
  const at = top();
  const { roots } = openRoots([`${at}/${name}`]);
  expect(roots.map(({ given }) => realpathSync(given))).toEqual(roots.map(({ real }) => real));
});
