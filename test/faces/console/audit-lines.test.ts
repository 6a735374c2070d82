import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { auditLines } from "../../../src/faces/console/api/audit-lines.ts";
import { scratch } from "../../runtime/scratch.ts";

const textsIn = (directory: string, before?: { day: string; offset: number }): readonly string[] =>
  [...auditLines(directory, before)].map(({ text }) => text);

describe("auditLines", () => {
  it.each([
    { name: "no file", files: {}, gives: [] },
    { name: "an empty file", files: { "audit-2026-01-01.jsonl": "" }, gives: [] },
    { name: "one line", files: { "audit-2026-01-01.jsonl": "a\n" }, gives: ["a\n"] },
    { name: "a line that is being written", files: { "audit-2026-01-01.jsonl": "a\nb" }, gives: ["a\n"] },
    { name: "only such a line", files: { "audit-2026-01-01.jsonl": "b" }, gives: [] },
    {
      name: "several days, and files of others",
      files: {
        "audit-2026-01-01.jsonl": "a\nb\n",
        "audit-2026-01-02.jsonl": "c\n",
        "audit-x.jsonl": "x\n",
        clock: "y\n",
      },
      gives: ["c\n", "b\n", "a\n"],
    },
  ])("$name", ({ files, gives }) => {
    expect(textsIn(scratch(files))).toEqual(gives);
  });

  it("reads lines across blocks, whatever their lengths, and goes on from each", () => {
    const directory = scratch();
    const lines = Array.from({ length: 300 }, (_, nth) => `${nth} ${"ü".repeat((nth * 7919) % 40_000)}\n`);
    writeFileSync(join(directory, "audit-2026-01-01.jsonl"), lines.join(""));
    const all = [...auditLines(directory)];
    expect(all.map(({ text }) => text)).toEqual(lines.toReversed());
    const at = all[150]?.at;
    expect(textsIn(directory, at)).toEqual(lines.slice(0, 149).toReversed());
  });

  it("yields nothing whole from the middle of a line", () => {
    const directory = scratch({ "audit-2026-01-01.jsonl": "first\nsecond\n" });
    expect(textsIn(directory, { day: "2026-01-01", offset: 9 })).toEqual(["first\n"]);
    expect(textsIn(directory, { day: "2025-01-01", offset: 9 })).toEqual([]);
  });
});
