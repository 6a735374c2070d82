import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { appOn, callerOf, callerOn, scratch, stateBeside } from "../runtime/scratch.ts";
import { run } from "./bin.ts";
import { changeBy, jsonOf, TIME, TREE, workplace } from "./workplace.ts";

describe("history", () => {
  it("lists changes, newest first, aligned and plain", async () => {
    const { agent, holdfast } = workplace();
    const edited = await changeBy(agent, "edit", { path: "a.txt", oldText: "two", newText: "2\n2" });
    const moved = await changeBy(agent, "move", { source: "d/x.txt", destination: "e/z.txt" });
    const undone = await changeBy(agent, "undo", { change_id: edited });
    const { code, out, err } = await holdfast(["history"]);
    expect([code, err]).toEqual([0, ""]);
    const [first, second, third, fourth, ...rest] = out.split("\n");
    expect(first).toMatch(
      new RegExp(`^${undone}  ${TIME}  [0-9a-f]{8}  undo  replace a\\.txt \\(undoes ${edited}\\)$`),
    );
    expect(second).toMatch(new RegExp(`^${moved}  ${TIME}  [0-9a-f]{8}  move  mkdir e$`));
    expect(third).toMatch(/^ {54}move d\/x\.txt → e\/z\.txt$/);
    expect(fourth).toMatch(new RegExp(`^${edited}  ${TIME}  [0-9a-f]{8}  edit  replace a\\.txt \\+2 -1 \\(undone\\)$`));
    expect(rest).toEqual([""]);
  });

  it.each([
    { name: "a file", args: ["a.txt"], tools: ["edit"] },
    { name: "what is in a directory", args: ["d"], tools: ["delete", "write"] },
    { name: "a limit", args: ["--limit", "1"], tools: ["delete"] },
    { name: "a time that is near", args: ["--since", "1h"], tools: ["delete", "write", "edit"] },
    { name: "a time to come", args: ["--since", "2999-01-01"], tools: [] },
  ])("of $name", async ({ args, tools }) => {
    const { agent, holdfast } = workplace();
    await changeBy(agent, "edit", { path: "a.txt", oldText: "two", newText: "2" });
    await changeBy(agent, "write", { path: "d/x.txt", content: "new\n" });
    await changeBy(agent, "delete", { path: "d/y.txt" });
    const { code, out } = await holdfast(["history", "--json", ...args]);
    const changes = jsonOf(out)["changes"] as readonly { readonly tool: string }[];
    expect([code, changes.map(({ tool }) => tool)]).toEqual([0, tools]);
  });

  it("of a session, by the start of its id", async () => {
    const { root, holdfast } = workplace();
    const other = appOn(root);
    await changeBy(callerOn(root), "write", { path: "a.txt", content: "" });
    const mine = await changeBy(callerOf(other), "write", { path: "a.txt", content: "mine\n" });
    const start = other.session.facts.id.slice(0, 8);
    expect((await holdfast(["history", "--session", start])).out).toMatch(new RegExp(`^${mine} [^\n]*\n$`));
    expect(await holdfast(["history", "--session", "zzz"])).toEqual({
      code: 1,
      out: "",
      err: 'holdfast: Cannot find the session "zzz": it has changed nothing here; holdfast history shows those that have\n',
    });
  });

  it("of a session marks what another one took back, on every page", async () => {
    const { root, holdfast } = workplace();
    const app = appOn(root);
    const caller = callerOf(app);
    const [older, newer] = [
      await changeBy(caller, "write", { path: "a.txt", content: "1" }),
      await changeBy(caller, "write", { path: "d/x.txt", content: "2" }),
    ];
    await holdfast(["undo", older]);
    const { out } = await holdfast(["history", "--session", app.session.facts.id.slice(0, 8)]);
    const marked = out
      .trimEnd()
      .split("\n")
      .map((line) => [line.split(" ")[0], line.endsWith(" (undone)")]);
    expect(marked).toEqual([
      [newer, false],
      [older, true],
    ]);
    const { text } = await caller("history", { session: app.session.facts.id, cursor: newer });
    expect(text).toMatch(new RegExp(`^${older} .* \\(undone\\)$`));
  });

  it("says when there is nothing, and when there is more", async () => {
    const { root, agent, holdfast } = workplace();
    expect(await holdfast(["history"])).toEqual({
      code: 0,
      out: `No changes in ${root}; use --root for another directory, --all for all\n`,
      err: "",
    });
    expect((await holdfast(["history", "a.txt"])).out).toContain(`No matching changes in ${root}; `);
    for (const content of ["1", "2", "3"]) await changeBy(agent, "write", { path: "a.txt", content });
    const { out } = await holdfast(["history", "--limit", "2"]);
    expect(out).toMatch(/\n\[Cut: there are older changes; --limit 4\]\n$/);
  });

  it("of a path outside is refused, with exit code 1, also as JSON", async () => {
    const { holdfast } = workplace();
    const ran = await holdfast(["history", "../x"]);
    expect([ran.code, ran.out]).toEqual([1, ""]);
    expect(ran.err).toMatch(/^holdfast: Cannot use "\.\.\/x": it is not inside/);
    const { code, out } = await holdfast(["history", "../x", "--json"]);
    expect([code, jsonOf(out)]).toMatchObject([1, { error: { code: "outside_workspace" } }]);
  });

  it("marks what was replaced unseen", async () => {
    const { agent, holdfast } = workplace();
    await changeBy(agent, "write", { path: "a.txt", content: "new\n" });
    expect((await holdfast(["history"])).out).toMatch(/ replace a\.txt .*\(replaced unseen\)\n$/);
    expect((await holdfast(["audit", "show"])).out).toMatch(/\n {4}replace \S+a\.txt .*\(replaced unseen\)\n$/);
  });

  it("a name cannot forge a line", async () => {
    const { agent, holdfast } = workplace();
    await changeBy(agent, "write", { path: "evil\n0000 fake", content: "" });
    expect((await holdfast(["history"])).out.split("\n")).toHaveLength(2);
  });
});

describe("undo", () => {
  it("takes back the last change that stands, whoever made it, and then the one before", async () => {
    const { root, agent, holdfast, textOf } = workplace();
    const first = await changeBy(agent, "edit", { path: "a.txt", oldText: "one", newText: "1" });
    const second = await changeBy(callerOn(root), "edit", { path: "a.txt", oldText: "two", newText: "2" });
    const ran = await holdfast(["undo"]);
    expect([ran.code, ran.err]).toEqual([0, ""]);
    expect(ran.out).toMatch(
      new RegExp(`^Undid ${second}\n  Brought back a\\.txt\nTo revert this undo: holdfast undo \\w+\n$`),
    );
    expect(textOf("a.txt")).toBe("1\ntwo\nthree\n");
    expect((await holdfast(["undo"])).out).toContain(`Undid ${first}\n`);
    expect(textOf("a.txt")).toBe("one\ntwo\nthree\n");
    expect(await holdfast(["undo"])).toEqual({
      code: 1,
      out: "",
      err: "holdfast: Cannot undo: nothing was changed here, or all changes were undone; holdfast history shows what happened to each change\n",
    });
  });

  it("is undone by the id it gives", async () => {
    const { agent, holdfast, textOf } = workplace();
    await changeBy(agent, "write", { path: "a.txt", content: "new\n" });
    const { change_id } = jsonOf((await holdfast(["undo", "--json"])).out);
    expect(textOf("a.txt")).toBe("one\ntwo\nthree\n");
    expect((await holdfast(["undo", String(change_id)])).code).toBe(0);
    expect(textOf("a.txt")).toBe("new\n");
  });

  it("shows first what it would do", async () => {
    const { agent, holdfast, textOf } = workplace();
    const id = await changeBy(agent, "write", { path: "a.txt", content: "new\n" });
    const { code, out } = await holdfast(["undo", "--dry-run"]);
    expect([code, out]).toEqual([0, `Nothing was changed; this would undo ${id}\n  Would bring back a.txt\n`]);
    expect(textOf("a.txt")).toBe("new\n");
  });

  it.each([
    { name: "a session", args: (id: string) => ["--session", id.slice(0, 8)] },
    { name: "a time", args: () => ["--since", "1h"] },
  ])("takes back everything of $name", async ({ args }) => {
    const root = scratch(TREE);
    const app = appOn(root);
    await changeBy(callerOf(app), "delete", { path: "d", recursive: true });
    await changeBy(callerOf(app), "write", { path: "a.txt", content: "" });
    const more = { cwd: root, env: { HOLDFAST_STATE: stateBeside(root) } };
    const { code } = await run(["undo", ...args(app.session.facts.id)], more);
    expect([code, readFileSync(join(root, "d/x.txt"), "utf8")]).toEqual([0, "x\n"]);
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
  });

  it("takes back one path, and the next time what was done to it before", async () => {
    const { agent, holdfast, textOf } = workplace();
    await changeBy(agent, "write", { path: "a.txt", content: "1" });
    await changeBy(agent, "write", { path: "a.txt", content: "2" });
    await changeBy(agent, "write", { path: "d/x.txt", content: "3" });
    await holdfast(["undo", "--path", "a.txt"]);
    expect([textOf("a.txt"), textOf("d/x.txt")]).toEqual(["1", "3"]);
    await holdfast(["undo", "--path", "a.txt"]);
    expect([textOf("a.txt"), textOf("d/x.txt")]).toEqual(["one\ntwo\nthree\n", "3"]);
  });

  it("refuses with exit code 1 when a later change would be lost", async () => {
    const { root, agent, holdfast, textOf } = workplace();
    const id = await changeBy(agent, "edit", { path: "a.txt", oldText: "two", newText: "2" });
    writeFileSync(join(root, "a.txt"), "another program\n");
    const { code, out, err } = await holdfast(["undo", id]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/^holdfast: Cannot undo: .*\n"a\.txt": the same lines were changed since/);
    expect(textOf("a.txt")).toBe("another program\n");
    expect((await holdfast(["undo", "nosuchchange"])).code).toBe(1);
  });

  it("names the command that goes on where a change cannot be undone", async () => {
    const { root, agent, holdfast, textOf } = workplace();
    const first = await changeBy(agent, "edit", { path: "a.txt", oldText: "two", newText: "2" });
    const input = { path: "d/x.txt", content: "new\n", append: true };
    const second = await changeBy(callerOn(root), "write", input);
    rmSync(join(root, "d/x.txt"));
    const { code, err } = await holdfast(["undo"]);
    expect([code, err]).toEqual([
      1,
      `holdfast: Cannot undo: something is in the way\n"d/x.txt": another program moved or deleted it since (write ${second})\n` +
        `Nothing was changed; holdfast history lists all changes\nTo undo the change before: holdfast undo ${first}\n`,
    ]);
    expect((await holdfast(["undo", first])).code).toBe(0);
    expect(textOf("a.txt")).toBe("one\ntwo\nthree\n");
  });

  it("passes over a change that has nothing left to undo", async () => {
    const { root, agent, holdfast } = workplace();
    const first = await changeBy(agent, "mkdir", { path: "z" });
    const second = await changeBy(agent, "edit", { path: "a.txt", oldText: "two", newText: "2" });
    writeFileSync(join(root, "a.txt"), "one\ntwo\nthree\n");
    const { code, out } = await holdfast(["undo"]);
    expect([code, out]).toEqual([
      0,
      expect.stringContaining(
        `Undid ${first}, ${second}\n  Removed z\n` +
          `Note: the later change ${second} (edit) had nothing left to undo; it counts as undone\n`,
      ),
    ]);
    const { changes } = jsonOf((await holdfast(["history", "--json"])).out) as {
      readonly changes: readonly { readonly change_id: string; readonly undone?: boolean }[];
    };
    expect(changes.map(({ change_id, undone }) => [change_id, undone])).toEqual([
      [expect.any(String), undefined],
      [second, true],
      [first, true],
    ]);
  });

  it("changes nothing when read-only", async () => {
    const { agent, holdfast, textOf } = workplace();
    await changeBy(agent, "write", { path: "a.txt", content: "new\n" });
    const { code, err } = await holdfast(["undo", "--read-only"]);
    expect([code, err, textOf("a.txt")]).toEqual([
      1,
      expect.stringMatching(/Cannot call "undo": it is hidden from this session \(read-only/),
      "new\n",
    ]);
  });
});
