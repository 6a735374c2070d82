import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { OWN_PROCESS } from "../../../src/base/process-identity.ts";
import { createState } from "../../../src/storage/local/state/state.ts";
import { createJournal } from "../../../src/workspace/changes/journal/journal.ts";
import { callsOf, killedAt } from "../../crash/death.ts";
import { adminOf } from "../../../src/runtime/admin.ts";
import { appOn, type Caller, callerOf, scratch } from "../../runtime/scratch.ts";

/** Two directories beside each other, with one state. */
function place() {
  const top = scratch({ "a/f.txt": "a\n", "a/in/f.txt": "in\n", "b/f.txt": "b\n" });
  const [a, b] = [join(top, "a"), join(top, "b")];
  const state = join(dirname(top), "state");
  mkdirSync(state);
  const open = (...roots: readonly string[]): Caller => callerOf(appOn(top, { roots, loopDetection: false }));
  return { top, a, b, state, open };
}

const idsOf = async (caller: Caller): Promise<readonly string[]> =>
  ((await caller("history")).data["changes"] as { change_id: string }[]).map(({ change_id }) => change_id);

const idOf = ({ data }: Awaited<ReturnType<Caller>>): string => data["change_id"] as string;

/** A change set that touches both directories. */
const acrossBoth = ({ a, b }: ReturnType<typeof place>) => ({
  input: [
    "*** Begin Patch",
    `*** Update File: ${a}/f.txt`,
    "-a",
    "+a2",
    `*** Update File: ${b}/f.txt`,
    "-b",
    "+b2",
    "*** End Patch",
  ].join("\n"),
});

describe("a history of one machine", () => {
  it("is the same for whoever serves a directory, in whichever order and with whichever others", async () => {
    const { a, b, top, open } = place();
    const ids = [
      idOf(await open(a, b)("write", { path: join(a, "1.txt"), content: "1" })),
      idOf(await open(b, a)("write", { path: join(a, "2.txt"), content: "2" })),
      idOf(await open(top)("write", { path: "a/3.txt", content: "3" })),
      idOf(await open(a)("write", { path: "4.txt", content: "4" })),
    ].toReversed();
    expect(await idsOf(open(a))).toEqual(ids);
    expect(await idsOf(open(b, a))).toEqual(ids);
    expect(await idsOf(open(b))).toEqual([]);
  });

  it("can be undone by another workspace, down to a directory inside", async () => {
    const { a, top, open } = place();
    const { data } = await open(top)("write", { path: "a/in/f.txt", content: "new\n" });
    expect((await open(join(a, "in"))("undo", { change_id: data["change_id"] })).code).toBe("ok");
    expect(readFileSync(join(a, "in/f.txt"), "utf8")).toBe("in\n");
  });

  it("shows and restores nothing from other directories", async () => {
    const { a, b, open } = place();
    const deleted = await open(a)("delete", { path: "f.txt" });
    const other = open(b);
    const trashId = deleted.data["trash_id"];
    expect(await idsOf(other)).toEqual([]);
    expect((await other("undo", { change_id: idOf(deleted) })).code).toBe("not_found");
    expect((await other("undo", { any_session: true })).code).toBe("no_change");
    expect((await other("restore", { trash_id: trashId, destination: "stolen.txt" })).code).toBe("not_found");
    expect((await open(a)("restore", { trash_id: trashId })).code).toBe("ok");
  });

  it("counts what a change did elsewhere, and leaves its undo to somebody who sees all of it", async () => {
    const here = place();
    const both = await here.open(here.a, here.b)("apply_patch", acrossBoth(here));
    expect(both.code).toBe("ok");
    const inside = here.open(here.a);
    const { data, text } = await inside("history");
    expect(data["changes"]).toEqual([
      expect.objectContaining({
        change_id: idOf(both),
        elsewhere: 1,
        files: [expect.objectContaining({ path: "f.txt" })],
      }),
    ]);
    expect(text).toContain("1 file elsewhere");
    expect(text).not.toContain(here.b);
    for (const input of [{ change_id: idOf(both) }, { any_session: true }])
      expect((await inside("undo", input)).code).toBe("denied");
    expect((await here.open(here.b, here.a)("undo", { change_id: idOf(both) })).code).toBe("ok");
    expect(readFileSync(join(here.b, "f.txt"), "utf8")).toBe("b\n");
  });

  it.each([
    { name: "out of it", from: "a/f.txt", to: "b/g.txt", inside: "f.txt" },
    { name: "into it", from: "b/f.txt", to: "a/g.txt", inside: "g.txt" },
  ])("names of a move $name only the end inside", async ({ from, to, inside }) => {
    const { top, a, open } = place();
    await open(top)("move", { source: from, destination: to });
    const { data } = await open(a)("history");
    expect(data["changes"]).toEqual([
      expect.objectContaining({ elsewhere: 1, files: [{ path: inside, action: "move" }] }),
    ]);
  });

  it("gives the changes of several workspaces one order, also when a clock is set back", async () => {
    const { a, b, open, state } = place();
    const [one, other] = [open(a), open(b)];
    writeFileSync(join(state, "sequence"), String(Date.now() * 1000 + 60_000_000));
    const ids: string[] = [];
    for (let nth = 0; nth < 10; nth++)
      ids.push(idOf(await (nth % 2 ? one : other)("write", { path: "n.txt", content: String(nth) })));
    expect(ids).toEqual(ids.toSorted());
    expect(await idsOf(open(a, b))).toEqual(ids.toReversed());
  });
});

/** Kills a server for both directories after it changed the first file of two. */
async function halfDone() {
  const here = place();
  for (let nth = 1; ; nth++) {
    writeFileSync(join(here.a, "f.txt"), "a\n");
    writeFileSync(join(here.b, "f.txt"), "b\n");
    const both = here.open(here.a, here.b);
    const home = { top: here.top, root: here.top, state: here.state };
    expect(await killedAt(nth, "before", home, () => both("apply_patch", acrossBoth(here)))).toBe(true);
    const [one, other] = textsOf(here);
    if (one === "a2\n" && other === "b\n") return here;
    await here.open(here.a)("write", { path: "next.txt", content: String(nth) });
  }
}

const textsOf = ({ a, b }: ReturnType<typeof place>): readonly string[] =>
  [a, b].map((root) => readFileSync(join(root, "f.txt"), "utf8"));

/** Rewrites what a killed process left, as if it had run before the machine was started again. */
function beforeReboot(state: string, change: (text: string) => string): void {
  for (const folder of ["pending", "locks"])
    for (const name of readdirSync(join(state, folder))) {
      const path = join(state, folder, name);
      const boot = OWN_PROCESS.split(".")[0] as string;
      writeFileSync(path, change(readFileSync(path, "utf8").replaceAll(boot, "00000000")));
      renameSync(path, path.replace(boot, "00000000"));
    }
}

/** Rewrites what a killed process left, as if its directories had been on a device with another number. */
function onDevice7({ a, state }: ReturnType<typeof place>): void {
  const { dev } = statSync(a);
  for (const name of readdirSync(join(state, "pending"))) {
    const path = join(state, "pending", name);
    const text = readFileSync(path, "utf8");
    if (!name.endsWith(OWN_PROCESS))
      writeFileSync(path, text.replaceAll(`"${dev}:`, '"7:').replaceAll(`"dev":"${dev}"`, '"dev":"7"'));
  }
}

describe("what a killed server for two directories left", () => {
  const patchedTrees = [
    ["a\n", "b\n"],
    ["a2\n", "b2\n"],
  ];

  it("is settled by one for the first", async () => {
    const model = place();
    const calls = await callsOf(() => model.open(model.a, model.b)("apply_patch", acrossBoth(model)));
    for (let nth = 1; nth <= calls.length; nth++) {
      const here = place();
      const both = here.open(here.a, here.b);
      await killedAt(nth, "before", { top: here.top, root: here.top, state: here.state }, () =>
        both("apply_patch", acrossBoth(here)),
      );
      const next = here.open(here.a);
      expect((await next("write", { path: "next.txt", content: "next" })).code).toBe("ok");
      const texts = [here.a, here.b].map((root) => readFileSync(join(root, "f.txt"), "utf8"));
      expect(patchedTrees).toContainEqual(texts);
      expect([here.a, here.b].flatMap((root) => readdirSync(root)).filter((name) => name.startsWith("."))).toEqual([]);
    }
  });

  it("waits where one of them is gone, and stops only changes at its places", async () => {
    const here = await halfDone();
    renameSync(here.b, `${here.b}-away`);
    mkdirSync(here.b);
    const next = here.open(here.a);
    expect((await next("write", { path: "f.txt", content: "mine" })).code).toBe("busy");
    expect((await next("write", { path: "other.txt", content: "other" })).code).toBe("ok");
    renameSync(here.b, `${here.b}-empty`);
    renameSync(`${here.b}-away`, here.b);
    const again = here.open(here.a);
    expect((await again("write", { path: "other.txt", content: "again" })).code).toBe("ok");
    expect(textsOf(here)).toEqual(["a\n", "b\n"]);
  });

  it("is given up by the user where one of them is gone for good", async () => {
    const here = await halfDone();
    rmSync(here.b, { recursive: true });
    const app = appOn(here.top, { roots: [here.a], loopDetection: false });
    const next = callerOf(app);
    const refused = await next("write", { path: "f.txt", content: "mine" });
    const [waiting] = app.session.workspace.writing?.waiting() ?? [];
    expect(waiting).toMatchObject({ missing: [here.b], places: [join(here.a, "f.txt")] });
    expect([refused.code, refused.text]).toEqual([
      "busy",
      expect.stringContaining(`holdfast doctor --give-up ${waiting?.id}`),
    ]);
    const admin = adminOf(app.session);
    await expect(admin.giveUp("nobody")).rejects.toThrow("no interrupted change with this id is waiting");
    expect(await admin.giveUp(waiting?.id ?? "")).toEqual(waiting);
    expect((await next("write", { path: "f.txt", content: "mine" })).code).toBe("ok");
    app.session.audit.flush();
    expect(
      admin
        .audit()
        .map(({ text }) => text)
        .join(""),
    ).toContain('"tool":"doctor --give-up"');
    expect(createState(here.state).list("waiting")).toEqual([]);
  });

  it("is rolled back after a start of the machine that gave the disk another number", async () => {
    const here = await halfDone();
    const { dev } = statSync(here.a);
    beforeReboot(here.state, (text) => text.replaceAll(`"${dev}:`, '"7:').replaceAll(`"dev":"${dev}"`, '"dev":"7"'));
    expect((await here.open(here.b)("write", { path: "other.txt", content: "other" })).code).toBe("ok");
    expect(textsOf(here)).toEqual(["a\n", "b\n"]);
  });

  it("is rolled back when a disk is plugged in again and has another number", async () => {
    const here = await halfDone();
    onDevice7(here);
    expect((await here.open(here.b)("write", { path: "other.txt", content: "other" })).code).toBe("ok");
    expect(textsOf(here)).toEqual(["a\n", "b\n"]);
  });

  it("waits where another disk has its path, as containers may have", async () => {
    const here = await halfDone();
    onDevice7(here);
    for (const name of readdirSync(here.b)) if (name.startsWith(".holdfast-")) rmSync(join(here.b, name));
    const next = here.open(here.a);
    expect((await next("write", { path: "f.txt", content: "mine" })).code).toBe("busy");
    expect((await next("write", { path: "other.txt", content: "other" })).code).toBe("ok");
    expect(textsOf(here)).toEqual(["a2\n", "b\n"]);
  });
});

it("files the journal of a process that ended well, also when its roots are gone", async () => {
  const { a, b, open, state } = place();
  await open(b)("write", { path: "1.txt", content: "1" });
  for (const name of readdirSync(join(state, "pending")))
    renameSync(join(state, "pending", name), join(state, "pending", `${name}1`));
  rmSync(b, { recursive: true });
  expect((await open(a)("write", { path: "2.txt", content: "2" })).code).toBe("ok");
  expect(readdirSync(join(state, "changes"))).toHaveLength(1);
  expect(createState(state).list("waiting")).toEqual([]);
});

it("names the directories that have a history", async () => {
  const { a, b, open, state } = place();
  await open(a, b)("write", { path: join(a, "1.txt"), content: "1" });
  await open(b)("write", { path: "2.txt", content: "2" });
  const found = createJournal(createState(state), () => []).directories();
  expect(found.map(({ path }) => path).toSorted()).toEqual([a, b]);
});
