import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runTogether } from "../races/processes.ts";
import { callerOn, scratch, stateBeside } from "../runtime/scratch.ts";

const TIMES = 5000;

it(
  "10,000 interleaved changes of two servers with overlapping roots are undone by a third",
  { timeout: 300_000 },
  async () => {
    const names = ["a/1.txt", "b/1.txt", "b/2.txt", "b/3.txt", "c/1.txt"];
    const top = scratch(Object.fromEntries(names.map((name) => [name, `the old ${name}\n`])));
    const textsOf = (): readonly string[] => names.map((name) => readFileSync(join(top, name), "utf8"));
    const before = textsOf();
    const at = (directory: string): readonly string[] =>
      names.filter((name) => name.startsWith(directory)).map((name) => join(top, name));
    const serve = (own: string) => ({
      name: own,
      roots: [own, "b"].map((directory) => join(top, directory)),
      stateDirectory: stateBeside(top),
      shared: at("b"),
      own: at(own),
      times: TIMES,
    });
    const failed = await runTogether("test/stress/fixtures/change-many.ts", [serve("a"), serve("c")]);
    expect(failed).toEqual([[], []]);
    const third = callerOn(top, { loopDetection: false });
    const { data } = await third("history", { limit: 1000 });
    const sessions = (data["changes"] as { session: string }[]).map(({ session }) => session);
    expect(new Set(sessions).size).toBe(2);
    const undone = await third("undo", { since: "1h" });
    expect([undone.code, (undone.data["undone"] as unknown[]).length, textsOf()]).toEqual(["ok", 2 * TIMES, before]);
  },
);
