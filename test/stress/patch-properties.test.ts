import { createTwoFilesPatch, structuredPatch } from "diff";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isFault } from "../../src/base/errors.ts";
import { applyFilePatch } from "../../src/text/patch/apply.ts";
import { parsePatch } from "../../src/text/patch/parse.ts";
import { faultOf } from "../text/fault-of.ts";
import { diff, envelope, patched } from "../text/patch/patched.ts";
import { workFromNow } from "../work.ts";
import { runAtOnce } from "../text/run-at-once.ts";

/** Few different lines, so that hunks have look-alikes. */
const line = fc.constantFrom(
  "a",
  "b",
  "c",
  "",
  " ",
  "  x",
  "}",
  "-- d",
  "++ e",
  "@@ f",
  "*** End Patch",
  "\\ g",
  "日本",
);
const lines = fc.array(line, { maxLength: 14 });

/** Lines with or without a line break at the very end. */
const fileText = fc
  .tuple(lines, fc.boolean())
  .map(([all, isOpen]) => all.join("\n") + (isOpen || all.length === 0 ? "" : "\n"));
const twoTexts = fc.tuple(fileText, fileText).filter(([before, after]) => before !== after);

describe("a diff made by another program", () => {
  it("turns the old text into the new one", () => {
    fc.assert(
      fc.property(twoTexts, fc.nat(4), ([before, after], context) => {
        const patch = createTwoFilesPatch("a/f", "b/f", before, after, "", "", { context });
        expect(patched(before, patch)).toBe(after);
      }),
      { numRuns: 2000 },
    );
  });

  it("keeps CRLF", () => {
    fc.assert(
      fc.property(
        twoTexts.filter(([before]) => before.includes("\n")),
        ([before, after]) => {
          const patch = createTwoFilesPatch("a/f", "b/f", before, after, "", "", { context: 3 });
          expect(patched(before.replaceAll("\n", "\r\n"), patch)).toBe(after.replaceAll("\n", "\r\n"));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("says the same when carried with CRLF", () => {
    fc.assert(
      fc.property(twoTexts, ([before, after]) => {
        const patch = createTwoFilesPatch("a/f", "b/f", before, after, "", "", { context: 3 });
        expect(patched(before, patch.replaceAll("\n", "\r\n"))).toBe(after);
      }),
      { numRuns: 500 },
    );
  });
});

it("an envelope gives the new text or a Fault, never a look-alike", () => {
  fc.assert(
    fc.property(lines, lines, fc.nat(4), (old, fresh, context) => {
      const [before, after] = [old, fresh].map((all) => all.map((one) => `${one}\n`).join("")) as [string, string];
      const { hunks } = structuredPatch("f", "f", before, after, "", "", { context });
      // Lines that are only added, with no line that says where, come last in the file: that need not be their place.
      fc.pre(hunks.every((hunk) => hunk.oldLines > 0 || before === ""));
      const body = hunks.flatMap((hunk) => ["@@", ...hunk.lines]);
      const outcome = outcomeOf(() => patched(before, envelope(...body)));
      expect([after, "many_matches", "no_match", "bad_patch", "no_change"]).toContain(outcome);
    }),
    { numRuns: 2000 },
  );
});

/** Returns the result of a call, or the code of its fault. */
function outcomeOf(run: () => string): string {
  try {
    return run();
  } catch (error) {
    if (isFault(error)) return error.code;
    throw error;
  }
}

const patchLine = fc.oneof(
  fc.constantFrom("*** Begin Patch", "*** End Patch", "*** Update File: f", "*** Add File: g", "*** Delete File: h"),
  fc.constantFrom("*** Move to: i", "*** End of File", "@@", "@@ a", "@@ -1 +1 @@", "@@ -1,2 +1,3 @@", "@@ -0,0 +1 @@"),
  fc.constantFrom("diff --git a/f b/f", "--- a/f", "+++ b/f", "--- /dev/null", '--- "a/\\303\\266"', "rename from f"),
  fc.constantFrom("rename to g", "new file mode 100644", "old mode 100644", "new mode 100755", "index 1..2", "-- "),
  fc.constantFrom("\\ No newline at end of file", "```", "<<EOF", "EOF", "", " a", "-a", "+b", " ", "-", "+"),
  fc.string({ unit: "binary", maxLength: 12 }),
);

describe("for any input", () => {
  it("parsing and applying throw nothing but a Fault", () => {
    fc.assert(
      fc.property(
        fc.array(patchLine, { maxLength: 14 }),
        fileText,
        fc.constantFrom("\n", "\r\n"),
        (all, text, ending) => {
          const outcome = outcomeOf(() => {
            for (const file of runAtOnce(parsePatch(all.join(ending))))
              if (file.kind !== "add") runAtOnce(applyFilePatch(text, file));
            return "ok";
          });
          expect(["ok", "bad_patch", "no_match", "many_matches", "no_change", "overlap"]).toContain(outcome);
        },
      ),
      { numRuns: 5000 },
    );
  });

  it("parsing of noise throws nothing but a Fault", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (noise) => {
        expect(faultOf(() => runAtOnce(parsePatch(noise))).code).toBe("bad_patch");
      }),
    );
  });
});

const LINE = "    const value = compute(item, options);";
const FILE = Array.from({ length: 25_000 }, (_, index) => `${LINE}${index}\n`).join("");
const CONTEXT = Array.from({ length: 1000 }, (_, index) => ` ${LINE}${index + 9000}`);

const LARGE = [
  {
    name: "a thousand lines of context that nearly fit",
    text: FILE,
    patch: envelope("@@", ...CONTEXT, "-wrong", "+x"),
  },
  { name: "the same as a diff", text: FILE, patch: diff("@@ -1,1001 +1,1001 @@", ...CONTEXT, "-wrong", "+x") },
  { name: "equal lines", text: "x\n".repeat(250_000), patch: envelope("@@", ...Array<string>(1000).fill(" x"), "-y") },
  {
    name: "equal lines as a diff",
    text: "x\n".repeat(250_000),
    patch: diff("@@ -1,1001 +1,1000 @@", ...Array<string>(1000).fill(" x"), "-y"),
  },
  { name: "equal anchors", text: "x {\n}\n".repeat(100_000), patch: envelope("@@ x {", "@@ }", "-y") },
];

it.each(LARGE)("is quick to refuse $name", ({ text, patch }) => {
  const spent = workFromNow();
  const { message } = faultOf(() => patched(text, patch));
  expect(spent()).toBeLessThan(15_000);
  expect(message.length).toBeLessThan(8000);
});

it("applies thousands of hunks", () => {
  const hunks = Array.from({ length: 5000 }, (_, index) => index * 5);
  const body = hunks.flatMap((at) => ["@@", `-${LINE}${at}`, `+${at}`]);
  const want = FILE.split("\n").map((one, at) => (at % 5 === 0 && at < 25_000 ? String(at) : one));
  expect(patched(FILE, envelope(...body))).toBe(want.join("\n"));
});
