import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { runAlone } from "../contracts/run-alone.ts";
import { scratch } from "../runtime/scratch.ts";

describe("a system that gives few watches", () => {
  const tree = { "a/file": "1", "b/file": "1", "c/file": "1" };
  const few = (limit: string, makes: readonly string[]) => {
    const root = scratch(tree);
    const script = `echo ${limit.replace(" ", " > /proc/sys/user/")}; exec "$@"`;
    const through = ["unshare", "--user", "--map-root-user", "sh", "-c", script, "sh"];
    const orders = { root, stateDirectory: join(dirname(root), "state"), makes };
    return runAlone("test/privileged/fixtures/watch-with-few.ts", orders, { through });
  };

  it.each([
    { limit: "3 max_inotify_watches", setting: "fs.inotify.max_user_watches" },
    { limit: "0 max_inotify_instances", setting: "fs.inotify.max_user_instances" },
  ])("says so, and what to change: $limit", ({ limit, setting }) => {
    expect(few(limit, [])).toMatchObject({ code: "too_many_watches", error: { setting } });
  });

  it.each([
    { limit: "4 max_inotify_watches", overflow: true },
    { limit: "9 max_inotify_watches", overflow: false },
  ])("tells that it lost sight of what is new: $limit", ({ limit, overflow }) => {
    expect(few(limit, ["d", "e"])).toMatchObject({ code: "ok", overflow });
  });
});
