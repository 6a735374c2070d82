import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { type AtEnd, scratch, stateBeside, together } from "../runtime/scratch.ts";
import { WHILE_BUSY } from "../work.ts";
import { run } from "./bin.ts";
import { openGreeted, toolCall, type Wire } from "./wire.ts";
import { jsonOf } from "./workplace.ts";

/** Directories with one state home, and the command line in each of them. */
function machine(atEnd?: AtEnd) {
  const home = scratch({ "a/one.txt": "1\n", "a/sub/in.txt": "in\n", "b/two.txt": "2\n", "else/x.txt": "x\n" }, atEnd);
  const state = stateBeside(home);
  const at = (...names: string[]): string => join(home, ...names);
  const holdfast = (place: string, ...words: string[]) =>
    run(words, { cwd: at(place), env: { HOLDFAST_STATE: state } });
  return { home, at, holdfast, textOf: (name: string) => readFileSync(at(name), "utf8"), state };
}

/** A server of its own process for some of the directories. */
async function serverFor({ at, state }: ReturnType<typeof machine>, names: readonly string[], atEnd?: AtEnd) {
  const [first = "", ...others] = names.map((name) => at(name));
  const wire = await openGreeted(first, { args: others, env: { HOLDFAST_STATE: state }, ...(atEnd && { atEnd }) });
  return { wire, change: changer(wire) };
}

function changer(wire: Wire) {
  let id = 0;
  return async (tool: string, input: object): Promise<string> => {
    wire.say(toolCall(++id, tool, input));
    const { result } = (await wire.answer(id)) as { result: { structuredContent?: { change_id?: string } } };
    expect(result).toMatchObject({ structuredContent: { change_id: expect.any(String) } });
    return String(result.structuredContent?.change_id);
  };
}

/** A machine on which servers for `a` and `b`, for both in another order, and for their parent have worked. */
const busy = together(async (atEnd) => {
  const place = machine(atEnd);
  const { at } = place;
  const both = await serverFor(place, ["a", "b"], atEnd);
  const turned = await serverFor(place, ["b", "a"], atEnd);
  const parent = await serverFor(place, ["."], atEnd);
  const ids = {
    inA: await both.change("write", { path: at("a/one.txt"), content: "one\n" }),
    inB: await turned.change("write", { path: at("b/two.txt"), content: "two\n" }),
    across: await both.change("move", { source: at("a/one.txt"), destination: at("b/one.txt") }),
    below: await parent.change("write", { path: "a/sub/in.txt", content: "below\n" }),
    deleted: await parent.change("delete", { path: "else/x.txt" }),
  };
  return { ...place, ids };
});

type Id = "inA" | "inB" | "across" | "below" | "deleted";

describe("history", () => {
  it.each<{ place: string; words?: string[]; lists: Id[] }>([
    { place: "a", lists: ["below", "across", "inA"] },
    { place: "b", lists: ["across", "inB"] },
    { place: "a/sub", lists: ["below"] },
    { place: "else", lists: ["deleted"] },
    { place: ".", lists: ["deleted", "below", "across", "inB", "inA"] },
    { place: "else", words: ["--all"], lists: ["deleted", "below", "across", "inB", "inA"] },
    { place: "else", words: ["--root", "../b"], lists: ["across", "inB"] },
    { place: "else", words: ["--root", "../b", "--root", "../a/sub"], lists: ["below", "across", "inB"] },
  ])("in $place $words lists $lists", async ({ place, words = [], lists }) => {
    const { holdfast, ids } = busy();
    const { code, out } = await holdfast(place, "history", "--json", ...words);
    const changes = jsonOf(out)["changes"] as readonly { change_id: string }[];
    expect([code, changes.map(({ change_id }) => change_id)]).toEqual([0, lists.map((name) => ids[name])]);
  });

  it("counts what a change did elsewhere, and does not name it", async () => {
    const { at, holdfast, ids } = busy();
    const { out } = await holdfast("b", "history");
    expect(out).toMatch(new RegExp(`^${ids.across} .* move .*one\\.txt.*`, "m"));
    expect(out).toContain("elsewhere");
    expect(out).not.toContain(at("a"));
    expect((await holdfast("else", "history", "--all")).out).toContain(at("a/one.txt"));
  });

  it("says that there is nothing here, and where there may be more", async () => {
    const { at, holdfast } = busy();
    mkdirSync(at("nothing"), { recursive: true });
    expect(await holdfast("nothing", "history")).toEqual({
      code: 0,
      out: `No changes in ${at("nothing")}; use --root for another directory, --all for all\n`,
      err: "",
    });
  });
});

describe("a change is found by its id from anywhere", () => {
  it.each<{ id: Id; shows: string }>([
    { id: "inA", shows: "-1\n+one\n" },
    { id: "inB", shows: "-2\n+two\n" },
    { id: "across", shows: "one.txt" },
  ])("diff of $id", async ({ id, shows }) => {
    const { holdfast, ids } = busy();
    for (const place of ["else", "a/sub"]) {
      const { code, out, err } = await holdfast(place, "diff", ids[id]);
      expect([code, err, out]).toEqual([0, "", expect.stringContaining(shows)]);
    }
  });

  it("undo of a change in two directories, from a third and from one of them", async () => {
    for (const from of ["else", "a"]) {
      const place = machine();
      const { change } = await serverFor(place, ["a", "b"]);
      const id = await change("move", { source: place.at("a/one.txt"), destination: place.at("b/one.txt") });
      const dry = await place.holdfast(from, "undo", id, "--dry-run");
      expect([dry.code, dry.err, place.textOf("b/one.txt")]).toEqual([0, "", "1\n"]);
      const { code, err } = await place.holdfast(from, "undo", id);
      expect([code, err, place.textOf("a/one.txt")]).toEqual([0, "", "1\n"]);
    }
  });

  it("says so where there is no such change", async () => {
    const { holdfast } = busy();
    const { code, err } = await holdfast("else", "undo", "0mb2q7k1x9a4f3c");
    expect([code, err]).toEqual([1, expect.stringContaining("there is no such change")]);
  });
});

it("undo takes back the last change here, not the last of all", async () => {
  const place = machine();
  const { change } = await serverFor(place, ["a", "b"]);
  await change("write", { path: place.at("a/one.txt"), content: "one\n" });
  await change("write", { path: place.at("b/two.txt"), content: "two\n" });
  expect((await place.holdfast("a", "undo")).code).toBe(0);
  expect([place.textOf("a/one.txt"), place.textOf("b/two.txt")]).toEqual(["1\n", "two\n"]);
  expect((await place.holdfast("a", "undo")).code).toBe(1);
  expect((await place.holdfast("else", "undo", "--all")).code).toBe(0);
  expect(place.textOf("b/two.txt")).toBe("2\n");
});

it("undo takes back the last change here although it is also elsewhere", async () => {
  const place = machine();
  const { change } = await serverFor(place, ["a", "b"]);
  await change("move", { source: place.at("a/one.txt"), destination: place.at("b/one.txt") });
  expect(await place.holdfast("b", "undo")).toMatchObject({ code: 0, err: "" });
  expect(place.textOf("a/one.txt")).toBe("1\n");
});

it("undo of a session asks for --all where it also changed other directories", async () => {
  const place = machine();
  const { change } = await serverFor(place, ["a", "b"]);
  const id = await change("move", { source: place.at("a/one.txt"), destination: place.at("b/one.txt") });
  await change("write", { path: place.at("b/two.txt"), content: "two\n" });
  const { code, err } = await place.holdfast("a", "undo", "--since", "1h");
  expect([code, err]).toEqual([1, `holdfast: Cannot undo ${id}: it also changed other directories; add --all\n`]);
  expect((await place.holdfast("a", "undo", "--since", "1h", "--all")).code).toBe(0);
  expect([place.textOf("a/one.txt"), place.textOf("b/two.txt")]).toEqual(["1\n", "2\n"]);
});

it("trash lists what was deleted here, or all, and restores it from anywhere by its id", async () => {
  const place = machine();
  const { change } = await serverFor(place, ["a", "b"]);
  for (const name of ["a/one.txt", "b/two.txt"]) await change("delete", { path: place.at(name) });
  const listed = async (where: string, ...words: string[]) =>
    jsonOf((await place.holdfast(where, "trash", "--json", ...words)).out)["items"] as {
      trash_id: string;
      path: string;
    }[];
  expect((await listed("a")).map(({ path }) => path)).toEqual(["one.txt"]);
  expect(await listed("else")).toEqual([]);
  const all = await listed("else", "--all");
  expect(all.map(({ path }) => path)).toEqual([place.at("b/two.txt"), place.at("a/one.txt")]);
  expect(await place.holdfast("else", "trash", "restore", String(all[0]?.trash_id))).toMatchObject({
    code: 0,
    err: "",
  });
  expect(place.textOf("b/two.txt")).toBe("2\n");
  expect((await place.holdfast("else", "trash", "purge", "--all")).out).toBe("Nothing to purge\n");
  expect((await place.holdfast("a", "trash", "purge", "--all")).out).toContain("Purged 1 item");
});

it("approvals shows and answers all that waits, by the short command that the model is told", async () => {
  const place = machine();
  const { wire } = await serverFor(place, ["b", "a"]);
  wire.say(toolCall("asks", "delete", { path: place.at("a/one.txt"), permanent: true }));
  const [asked] = await pendingFrom(place, "else");
  expect(asked).toMatchObject({ agent: "main", roots: [place.at("b"), place.at("a")] });
  const { out } = await place.holdfast("else", "approvals");
  expect(out).toContain(`${place.at("b")} and 1 more`);
  expect(wire.errors()).toContain(`approvals show ${asked?.id} --state ${place.state} shows it`);
  expect((await place.holdfast("a/sub", "approvals", "approve", String(asked?.id))).code).toBe(0);
  await wire.answer("asks");
  expect((await place.holdfast("b", "history", "--root", place.at("a"))).out).toContain("one.txt");
});

async function pendingFrom({ holdfast }: ReturnType<typeof machine>, where: string) {
  return vi.waitFor(async () => {
    const { approvals } = jsonOf((await holdfast(where, "approvals", "--json")).out);
    expect(approvals).toHaveLength(1);
    return approvals as readonly { id: string; roots: string[]; agent: string }[];
  }, WHILE_BUSY);
}

it("doctor lists the directories that have a history, with what is kept of each", async () => {
  const place = machine();
  const { change } = await serverFor(place, ["a", "b"]);
  await change("write", { path: place.at("a/one.txt"), content: "one\n" });
  await change("move", { source: place.at("a/one.txt"), destination: place.at("b/one.txt") });
  const parent = await serverFor(place, ["."]);
  await parent.change("delete", { path: "else/x.txt" });
  const { kept } = jsonOf((await place.holdfast("a/sub", "doctor", "--json")).out) as {
    kept: Record<string, object[]>;
  };
  expect(kept["directories"]?.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))).toEqual(
    [
      { path: place.home, changes: 1, bytes: 2 },
      { path: place.at("a"), changes: 2, bytes: 2 },
      { path: place.at("b"), changes: 1, bytes: 0 },
    ],
  );
  const { out } = await place.holdfast("else", "doctor");
  expect(out).toContain(`directory     ${place.at("a")}: 2 changes, 2 bytes kept\n`);
  expect(out).toContain("history       3 changes, 2 bytes kept (");
});

describe("audit", () => {
  it.each<{ place: string; words?: string[]; lists: Id[] }>([
    { place: "a", lists: ["inA", "across", "below"] },
    { place: "b", lists: ["inB", "across"] },
    { place: "a/sub", lists: ["below"] },
    { place: "else", lists: ["deleted"] },
    { place: "a/sub", words: ["--all"], lists: ["inA", "inB", "across", "below", "deleted"] },
  ])("in $place $words shows the changes $lists", async ({ place, words = [], lists }) => {
    const { holdfast, ids } = busy();
    const { out } = await holdfast(place, "audit", "show", "--json", "--code", "ok", ...words);
    const records = jsonOf(out)["records"] as readonly { change?: string; principal?: string }[];
    const changes = records.filter(({ change, principal }) => change !== undefined && principal === undefined);
    expect(changes.map(({ change }) => change)).toEqual(lists.map((name) => ids[name]));
  });

  it("shows reads by what they name from the roots of their session", async () => {
    const place = machine();
    const { wire } = await serverFor(place, ["."]);
    for (const [id, path] of ["a/one.txt", place.at("a/sub/in.txt"), "b/two.txt"].entries()) {
      wire.say(toolCall(id, "read", { path }));
      await wire.answer(id);
    }
    await wire.end();
    const shown = async (where: string) => {
      const { records } = jsonOf((await place.holdfast(where, "audit", "show", "--json")).out);
      return (records as readonly { input: { path: string } }[]).map(({ input }) => input.path);
    };
    expect(await shown("a")).toEqual(["a/one.txt", place.at("a/sub/in.txt")]);
    expect(await shown("a/sub")).toEqual([place.at("a/sub/in.txt")]);
    expect(await shown("b")).toEqual(["b/two.txt"]);
    expect(await shown("else")).toEqual([]);
    expect((await place.holdfast("else", "audit", "verify")).out).toMatch(/intact\n$/);
  });
});
