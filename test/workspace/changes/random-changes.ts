import * as fc from "fast-check";
import type { Tree } from "../../runtime/scratch.ts";

/** One call of a tool that changes something, or tries to. */
export interface Call {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Are few, so that changes meet: files, directories, and paths below files. */
const path = fc.constantFrom("a", "b", "link", "d", "d/a", "d/b", "d/e", "d/e/a", "x", "x/y", "x/y/a");
const text = fc
  .array(fc.constantFrom("one", "two", "three", "four"), { maxLength: 5 })
  .map((lines) => lines.map((line) => `${line}\n`).join(""));

const calling = (tool: string, input: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Call> =>
  fc.record(input).map((filled) => ({ tool, input: filled }));

const section = fc.oneof(
  path.map((at) => `*** Add File: ${at}\n+added\n`),
  path.map((at) => `*** Delete File: ${at}\n`),
  fc
    .tuple(path, fc.constantFrom("one", "two", "three"))
    .map(([at, old]) => `*** Update File: ${at}\n@@\n-${old}\n+new\n`),
  fc.tuple(path, path).map(([from, to]) => `*** Update File: ${from}\n*** Move to: ${to}\n@@\n-one\n+moved\n`),
);

const envelope = fc
  .uniqueArray(section, { minLength: 1, maxLength: 3, selector: (each) => each.split("\n")[0] })
  .map((sections) => ({
    tool: "apply_patch",
    input: { input: `*** Begin Patch\n${sections.join("")}*** End Patch\n` },
  }));

const modePatch = fc.tuple(path, fc.constantFrom("100755", "100644")).map(([at, mode]) => ({
  tool: "apply_patch",
  input: { input: `diff --git a/${at} b/${at}\nold mode 100600\nnew mode ${mode}\n` },
}));

const overwrite = fc.boolean();

/** Generates any change. Many are refused, as many of an agent's are. */
export const anyCall: fc.Arbitrary<Call> = fc.oneof(
  calling("write", { path, content: text }),
  calling("write", { path, content: text, append: fc.constant(true) }),
  calling("edit", { path, oldText: fc.constantFrom("one", "two"), newText: fc.constantFrom("ONE\nand more", "") }),
  calling("move", { source: path, destination: path, overwrite }),
  calling("copy", { source: path, destination: path, overwrite }),
  calling("delete", { path, recursive: fc.constant(true) }),
  calling("restore", { path, overwrite }),
  calling("mkdir", { path }),
  envelope,
  modePatch,
);

/** The tree at the start. */
export const anyTree: fc.Arbitrary<Tree> = fc.record(
  {
    a: text,
    b: text,
    "d/a": text,
    "d/e/a": text,
    link: fc.constantFrom({ link: "a" }, { link: "nowhere" }, { link: "d" }),
  },
  { requiredKeys: ["a"] },
);
