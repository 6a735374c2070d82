import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, it } from "vitest";
import { heard, watched } from "./watched.ts";

/** Files of a branch; fixtures/switch-branch.mjs has the same. */
const names = (from: number) => Array.from({ length: 5000 }, (_, n) => `d${n % 50}/f${n + from}`);

it("a watch reports a branch switch of 10,000 files", async () => {
  const { root, call } = await watched(Object.fromEntries([...names(0), ...names(5000)].map((name) => [name, name])));
  const switching = join(import.meta.dirname, "fixtures/switch-branch.mjs");
  await once(spawn(process.execPath, [switching], { cwd: root }), "close");
  const [went, came] = [names(0).map((name) => `delete ${name}`), names(10_000).map((name) => `create ${name}`)];
  const events = await heard(call, (lines) => {
    const said = new Set(lines);
    return [...went, ...came].every((line) => said.has(line));
  });
  // A machine that is busy elsewhere may lose hints, and says so: then the names are right, but not every modification is told.
  const isSure = (line: string): boolean => !events.includes("overflow") || !/^(?:modify|overflow)/.test(line);
  // A file may be seen between being emptied and being written: what counts is how it is told of first.
  const first = new Map(events.toReversed().map((line) => [line.split(" ").at(-1), line]));
  expect([...first.values()].filter(isSure).toSorted()).toEqual(
    [...went, ...names(5000).map((name) => `modify ${name}`), ...came].filter(isSure).toSorted(),
  );
});
