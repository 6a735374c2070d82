import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createHoldfast, memoryObjects, objectStorage } from "../../src/index.ts";
import { LIMITS } from "../../src/base/limits.ts";
import { scratch } from "../runtime/scratch.ts";
import { interfered } from "../../src/testing/objects/interference.ts";
import { writeForeign } from "../../src/testing/objects/change-set-fixture.ts";

/** A store in which somebody writes a file right before it is read, so many times. */
function scene(times: number) {
  const objects = memoryObjects({ "busy.txt": Buffer.from("word 0\n"), "calm.txt": Buffer.from("word\n") });
  let writes = 0;
  const store = interfered(objects, {
    async before({ method, key }) {
      if (method === "get" && key === "busy.txt" && writes < times)
        await writeForeign(objects, key, `word ${"x".repeat(++writes)}\n`);
    },
  });
  const holdfast = createHoldfast({
    roots: [{ name: "kv", storage: objectStorage(store) }],
    stateDirectory: join(scratch(), "state"),
    loopDetection: false,
  });
  onTestFinished(() => holdfast.close());
  return holdfast;
}

it("reads what somebody wrote while it was opened", async () => {
  const { isError, text } = await scene(LIMITS.overtakenReads - 1).call("read", { path: "busy.txt" });
  expect({ isError, text }).toEqual({ isError: false, text: expect.stringContaining("word xxxx") });
});

it("says that it cannot read what never stays the same", async () => {
  expect((await scene(Infinity).call("read", { path: "busy.txt" })).error).toMatchObject({ code: "stale" });
});

it("searches the other files, and names the one that never stays the same", async () => {
  const { text, data } = await scene(Infinity).call("grep", { pattern: "word" });
  expect(data).toMatchObject({
    total_matches: 1,
    not_searched: [{ path: "busy.txt", reason: "it changed while it was read" }],
  });
  expect(text).toContain("Not searched: busy.txt");
});
