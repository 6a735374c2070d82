import { expect, it } from "vitest";
import { runAlone, WITH_OWN_MOUNTS } from "../contracts/run-alone.ts";

const PATH = "d/a.txt";

/** Lists calls that fail; their dry run fails with the same words. */
const REFUSED = [
  { tool: "delete", input: { path: PATH } },
  { tool: "move", input: { source: PATH, destination: "c.txt" } },
  { tool: "move", input: { source: "b.txt", destination: PATH, overwrite: true } },
  { tool: "delete", input: { path: "d", recursive: true } },
  { tool: "move", input: { source: "d", destination: "e" } },
  { tool: "apply_patch", input: { input: `*** Begin Patch\n*** Delete File: ${PATH}\n*** End Patch` } },
];

const CALLS = [
  { tool: "write", input: { path: PATH, content: "one\ntwo\nthree\n" } },
  { tool: "edit", input: { path: PATH, edits: [{ oldText: "two", newText: "2" }] } },
  { tool: "write", input: { path: PATH, content: "four\n", append: true } },
  { tool: "copy", input: { source: "b.txt", destination: PATH, overwrite: true } },
  { tool: "undo", input: {} },
  { tool: "undo", input: {} },
  { tool: "undo", input: {} },
  ...REFUSED,
  ...REFUSED.map(({ tool, input }) => ({ tool, input: { ...input, dry_run: true } })),
  { tool: "write", input: { path: PATH, content: "not written\n", dry_run: true } },
  { tool: "copy", input: { source: "b.txt", destination: PATH, overwrite: true, dry_run: true } },
];

const HINT = "Change the content of a mounted file with write or edit; only the user can unmount it";
const THREE = "one\ntwo\nthree\n";
const refused = (doing: string, path = PATH) => ({
  code: "no_permission",
  text: expect.stringMatching(new RegExp(`^Cannot ${doing} ".*${path}": it is a mount point\n${HINT}$`)),
  host: THREE,
});

const REFUSALS = [
  refused("delete"),
  refused("move"),
  refused("replace"),
  refused("delete", "d"),
  refused("move", "d"),
  refused("delete"),
];

/** Mounts a single file, as containers do. Nothing can be renamed over such a file, and it cannot be renamed. */
it.each([{ isClosed: false }, { isClosed: true }])(
  "a mounted file is written in place and never moved: directory closed: $isClosed",
  ({ isClosed }) => {
    const { results, left } = runAlone(
      "test/privileged/fixtures/mounted-file.ts",
      { isClosed, calls: CALLS },
      { through: WITH_OWN_MOUNTS },
    ) as { results: unknown; left: unknown };
    expect(results).toEqual([
      { code: "ok", host: THREE },
      { code: "ok", host: "one\n2\nthree\n" },
      { code: "ok", host: "one\n2\nthree\nfour\n" },
      { code: "ok", host: "b\n" },
      { code: "ok", host: "one\n2\nthree\nfour\n" },
      { code: "ok", host: "one\n2\nthree\n" },
      { code: "ok", host: THREE },
      ...REFUSALS,
      ...REFUSALS,
      { code: "ok", host: THREE },
      { code: "ok", host: THREE },
    ]);
    expect(left).toEqual(["a.txt"]);
  },
);
