import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { mergeBytes } from "../../../src/text/diff/merge.ts";
import { runAtOnce } from "../run-at-once.ts";
import { latin1, utf16be, utf16le } from "../encoding/encoded.ts";

it.each([
  {
    name: "bytes of no encoding",
    feed: "byte",
    write: latin1,
    base: "\xff\n\x80\xfe\nc\n",
    ours: "\xff\xff\n\x80\xfe\nc\n",
    theirs: "\xff\n\x80\xfe\n\xe9\n",
    both: "\xff\xff\n\x80\xfe\n\xe9\n",
  },
  {
    name: "UTF-16",
    feed: "utf-16le",
    write: utf16le,
    base: "\uFEFFa\nb\nc\n",
    ours: "\uFEFFä\nb\nc\n",
    theirs: "\uFEFFa\nb\n🎉\n",
    both: "\uFEFFä\nb\n🎉\n",
  },
  {
    name: "big-endian UTF-16",
    feed: "utf-16be",
    write: utf16be,
    base: "\uFEFFa\nb\nc\n",
    ours: "\uFEFFä\nb\nc\n",
    theirs: "\uFEFFa\nb\n🎉\n",
    both: "\uFEFFä\nb\n🎉\n",
  },
  {
    name: "UTF-16 with half a pair",
    feed: "utf-16le",
    write: utf16le,
    base: "\uD83D\nb\nc\n",
    ours: "\uD83D\nb\nx\n",
    theirs: "\uD83D\uD83D\nb\nc\n",
    both: "\uD83D\uD83D\nb\nx\n",
  },
] as const)("merges $name", ({ feed, write, base, ours, theirs, both }) => {
  expect(runAtOnce(mergeBytes(write(base), write(ours), write(theirs), feed))).toEqual({
    kind: "merged",
    bytes: write(both),
  });
});

it.each([
  { feed: "utf-16le", write: utf16le },
  { feed: "utf-16be", write: utf16be },
] as const)("takes no half of a character for a line end in $feed", ({ feed, write }) => {
  const [base, ours, theirs] = ["aਊĊb", "xਊĊb", "aਊĊy"];
  const region = { line: 1, base: write(base), ours: write(ours), theirs: write(theirs) };
  expect(runAtOnce(mergeBytes(write(base), write(ours), write(theirs), feed))).toEqual({
    kind: "conflict",
    regions: [region],
  });
});

it("takes UTF-16 with half a unit at the end for one line", () => {
  const [base, ours, theirs] = ["a\0\n\0b\0", "x\0\n\0b\0", "a\0\n\0y\0!"].map(latin1) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  expect(runAtOnce(mergeBytes(base, ours, theirs, "utf-16le"))).toEqual({
    kind: "conflict",
    regions: [{ line: 1, base, ours, theirs }],
  });
  expect(runAtOnce(mergeBytes(base, base, theirs, "utf-16le"))).toEqual({ kind: "merged", bytes: theirs });
});

it.each(["byte", "utf-16le", "utf-16be"] as const)("come back as they were: %s", (feed) => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.uint8Array(), (base, ours) => {
      expect(runAtOnce(mergeBytes(base, ours, base, feed))).toEqual({ kind: "merged", bytes: Buffer.from(ours) });
      expect(runAtOnce(mergeBytes(base, base, ours, feed))).toEqual({ kind: "merged", bytes: Buffer.from(ours) });
    }),
  );
});
