import { expect, it } from "vitest";
import { foldedChanges } from "../../src/text/folded-changes.ts";

const changed = (path: string, isRemarkable = false) => ({
  action: "changed",
  path,
  line: `changed ${path}`,
  isRemarkable,
});

it("folds by directory what is too long, and what is remarkable comes first, alone", () => {
  const changes = [changed("d/a"), changed("d/b"), changed("d/config", true), changed("e/a"), changed("f/a")];
  expect(foldedChanges(changes, 5)).toEqual(changes.map(({ line }) => line));
  expect(foldedChanges(changes, 4)).toEqual([
    "changed d/config",
    "changed 2 entries in d",
    "changed e/a",
    "changed f/a",
  ]);
  expect(foldedChanges(changes, 2)).toEqual(["changed d/config", "changed 2 entries in d", "2 more changes"]);
});
