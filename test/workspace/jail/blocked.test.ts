import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Holdfast } from "../../../src/faces/sdk/holdfast.ts";
import { serve } from "../../contracts/serve.ts";
import { layout } from "../../layout.ts";

/** Returns the result of each reading tool for a path: the code of the fault, or the answer. */
async function outcomesOf(holdfast: Holdfast, path: string) {
  const ask = async (tool: string) => {
    const { isError, text, data } = await holdfast.call(tool, { path });
    return isError ? (data["error"] as { code: string }).code : text;
  };
  return { read: await ask("read"), stat: await ask("stat"), ls: await ask("ls"), tree: await ask("tree") };
}

const DENIED = { read: "denied", stat: "denied", ls: "denied", tree: "denied" };

/** Makes a server whose own state lies inside its root, with one change written. */
async function serveAround(tree: readonly string[], state: string) {
  const root = layout(tree);
  const holdfast = serve([root], join(root, state));
  await holdfast.call("session", {});
  holdfast.close();
  return { root, holdfast };
}

describe("our own state inside a root", () => {
  it.each(["state", "state/", "./state", "$ABS/state", "state/nope", "state/AUDIT"])(
    "cannot be reached by %s",
    async (path) => {
      const { root, holdfast } = await serveAround(["a/", "file"], "state");
      const [audit = ""] = readdirSync(join(root, "state"));
      expect(audit).toMatch(/^audit-.*\.jsonl$/);
      const asked = path.replace("$ABS", () => root).replace("AUDIT", audit);
      expect(await outcomesOf(holdfast, asked)).toEqual(DENIED);
    },
  );

  it.each([
    { name: "to it", link: "link => state", path: "link" },
    { name: "to it, and dotdot", link: "link => state", path: "link/../state" },
    { name: "to it, by name", link: "link => $ABS/state", path: "link" },
    { name: "around it", link: "link => a/../state", path: "link" },
    { name: "to the root", link: "link => .", path: "link/state" },
    { name: "not needed for dotdot", link: "link => .", path: "a/../state" },
  ])("cannot be reached by a link $name", async ({ link, path }) => {
    const { holdfast } = await serveAround(["a/", link], "state");
    const kept = expect.stringMatching(/^link: symlink.*leads outside$/);
    expect(await outcomesOf(holdfast, path)).toEqual({
      read: expect.stringMatching(/^(denied|not_a_file)$/),
      stat: path === "link" ? kept : "denied",
      ls: "denied",
      tree: "denied",
    });
  });

  it("is not listed", async () => {
    const { holdfast } = await serveAround(["a/file"], "a/state");
    const { data: listed } = await holdfast.call("ls", { path: "a" });
    const { data: drawn } = await holdfast.call("tree", { include_hidden: true, include_ignored: true });
    expect(listed["total"]).toBe(1);
    expect(drawn["tree"]).toBe("./\n  a/\n    file");
  });

  it.each([
    { name: "the root is a link", tree: ["../alias => ROOT"], state: "../alias/state", path: "state" },
    { name: "a link is on its way", tree: ["way => a", "a/"], state: "way/state", path: "a/state" },
    { name: "it is a link itself", tree: ["state => real", "real/"], state: "state", path: "real" },
  ])("cannot be reached when $name", async ({ tree, state, path }) => {
    const { root, holdfast } = await serveAround(tree, state);
    expect(readdirSync(join(root, path))).toHaveLength(1);
    expect(await outcomesOf(holdfast, path)).toEqual(DENIED);
  });
});

function serveAll(tree: readonly string[] = []) {
  const root = layout([...tree, "file"]);
  return { root, holdfast: serve(["/"], join(dirname(root), "state")) };
}

describe("the whole disk as a root", () => {
  it.each([
    "/proc",
    "proc",
    "/proc/",
    "/proc/self/environ",
    "/proc/nope",
    "/proc/self/../version",
    "/sys",
    "/sys/kernel",
    "/dev",
    "/dev/null",
    "/dev/fd/0",
    "/dev/shm/nope",
  ])("keeps %s shut", async (path) => {
    expect(await outcomesOf(serveAll().holdfast, path)).toEqual(DENIED);
  });

  it.each([
    { link: "link => /proc/self/environ", read: "denied" },
    { link: "link => ../../../../../../proc/version", read: "denied" },
    { link: "link => /etc/../proc/version", read: "denied" },
    { link: "link => /dev/null", read: "special_file" },
    { link: "link => /dev/stdin", read: expect.stringMatching(/^(denied|special_file|outside_workspace)$/) },
  ])("keeps what $link leads to shut", async ({ link, read }) => {
    const { root, holdfast } = serveAll([link]);
    const outcomes = await outcomesOf(holdfast, join(root, "link"));
    expect(outcomes).toMatchObject({ read, stat: expect.stringContaining("leads outside") });
  });

  it("shows the rest, without them", async () => {
    const { root, holdfast } = serveAll();
    const { data } = await holdfast.call("ls", { path: "/" });
    const names = (data["entries"] as { name: string }[]).map(({ name }) => name);
    const hidden = ["proc", "sys", "dev"];
    expect(names).toEqual(
      readdirSync("/")
        .filter((name) => !hidden.includes(name))
        .toSorted(),
    );
    expect((await holdfast.call("read", { path: join(root, "file") })).text).toBe("file");
    expect((await holdfast.call("read", { path: join(root, "file").slice(1) })).text).toBe("file");
  });
});
