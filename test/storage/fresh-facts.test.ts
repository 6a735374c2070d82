import { renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import { versionOfBytes } from "../../src/base/version.ts";
import { isOlderThanClockTick } from "../../src/storage/local/clock-granularity.ts";
import { createState } from "../../src/storage/local/state/state.ts";
import { scratch } from "../runtime/scratch.ts";
import { CONTAINMENTS, openWriter } from "./writer-cases.ts";

const OLD = new Date(2020, 1, 1);

const versionOf = (text: string) => versionOfBytes(Buffer.from(text));

/** Waits until existing files are older than a tick of the clock: then listings may be cached. */
const clockTick = () => setTimeout(LIMITS.clockTickMs + 50);

/** Lists rewrites that keep the size of "file", and the times as far as a program can. */
const REWRITES = [
  { how: "in place", rewrite: (path: string) => writeFileSync(path, "eliF") },
  {
    how: "in place, with its old times",
    rewrite: (path: string) => {
      writeFileSync(path, "eliF");
      utimesSync(path, OLD, OLD);
    },
  },
  {
    how: "by a rename, with its old times",
    rewrite: (path: string) => {
      writeFileSync(`${path}.new`, "eliF");
      utimesSync(`${path}.new`, OLD, OLD);
      renameSync(`${path}.new`, path);
    },
  },
];

describe.each(CONTAINMENTS)("versions, %s", (containment) => {
  it.each(REWRITES)("reads a file again once it is rewritten $how", async ({ rewrite }) => {
    const { writer, at } = openWriter(containment, ["file"]);
    utimesSync(at("file"), OLD, OLD);
    const fresh = writer.snapshot(at("file"))?.version;
    await clockTick();
    const before = writer.snapshot(at("file"))?.version;
    rewrite(at("file"));
    const after = writer.snapshot(at("file"))?.version;
    expect({ fresh, before, after }).toEqual({
      fresh: versionOf("file"),
      before: versionOf("file"),
      after: versionOf("eliF"),
    });
  });

  it("reads a file again however fast it is rewritten", () => {
    const { writer, at } = openWriter(containment, ["file"]);
    const texts = Array.from({ length: 200 }, (_, nth) => String(1000 + nth));
    const seen = texts.map((text) => {
      writeFileSync(at("file"), text);
      return writer.snapshot(at("file"))?.version;
    });
    expect(seen).toEqual(texts.map(versionOf));
  });
});

describe("a time shows every further change", () => {
  it.each([
    { name: "not at once", agoMs: 0, tickMs: 0, is: false },
    { name: "after a moment", agoMs: 500, tickMs: 0, is: true },
    { name: "not so soon on a disk that counts seconds", agoMs: 500, tickMs: 1000, is: false },
    { name: "nor on one that counts every other one", agoMs: 200, tickMs: 2000, is: false },
    { name: "but there, too, in the end", agoMs: 5000, tickMs: 2000, is: true },
  ])("$name", ({ agoMs, tickMs, is }) => {
    const ms = Date.now() - agoMs;
    const timeNs = tickMs > 0 ? BigInt(ms - (ms % tickMs)) * 1_000_000n : BigInt(ms) * 1_000_000n + 1n;
    expect(isOlderThanClockTick(timeNs)).toBe(is);
  });
});

describe("the listing of a state folder", () => {
  it.each([
    { name: "while it is new", wait: async () => {} },
    { name: "once it is old", wait: clockTick },
  ])("is up to date, $name", async ({ wait }) => {
    const state = createState(scratch());
    state.write("folder/one", "");
    await wait();
    const listed = [state.list("folder"), state.list("folder")];
    writeFileSync(join(state.directory, "folder/two"), "");
    listed.push(state.list("folder"));
    state.remove("folder/one");
    listed.push(state.list("folder"));
    state.remove("folder/two");
    listed.push(state.list("folder"));
    expect(listed.map((names) => names.toSorted())).toEqual([["one"], ["one"], ["one", "two"], ["two"], []]);
  });
});
