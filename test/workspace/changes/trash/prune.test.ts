import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { LIMITS } from "../../../../src/base/limits.ts";
import { identifyRoot } from "../../../../src/storage/local/jail/root-identity.ts";
import { createLocalStorage } from "../../../../src/storage/local/local.ts";
import type { RootIdentity } from "../../../../src/storage/root-identity.ts";
import { createState } from "../../../../src/storage/local/state/state.ts";
import { objectNamed, objectParts, pendingDeletionOf } from "../../../../src/storage/place.ts";
import { writerOf } from "../../../../src/testing/writer-row.ts";
import { createJournal, type Journal } from "../../../../src/workspace/changes/journal/journal.ts";
import type { ChangeRecord } from "../../../../src/workspace/changes/change.ts";
import { createBackups } from "../../../../src/workspace/changes/trash/backups.ts";
import { createPruner, prune } from "../../../../src/workspace/changes/trash/prune.ts";
import { createTrash } from "../../../../src/workspace/changes/trash/trash.ts";
import { noteNameOf, type TrashItem } from "../../../../src/workspace/changes/trash/notes.ts";
import { callsOf, killedAt } from "../../../crash/death.ts";
import { appOn, type Caller, callerOf, callerOn, scratch, stateBeside } from "../../../runtime/scratch.ts";
import { age, unfinishedIn } from "../journals.ts";

const PLENTY = {
  mostBytes: LIMITS.historyBytes,
  mostBytesOfUser: LIMITS.historyBytesOfUser,
  mostMs: LIMITS.historyMs,
  leastChanges: 1,
};
const HOUR = 3_600_000;
const ONE_KB = "x".repeat(1000);
const PENDING_DELETION = objectParts(pendingDeletionOf(objectNamed("s", "objects", "x"))).name.slice(1);

/** Makes a workspace with the parts that pruning needs, and lists its backups. */
function workspace() {
  const root = scratch({ "a.txt": ONE_KB, "d/a.txt": "a", "d/b.txt": "b" });
  const state = createState(stateBeside(root));
  const writing = { stateDirectory: state.directory, durability: "process" } as const;
  const writer = writerOf(createLocalStorage([root], { writerOptions: writing }));
  const trash = createTrash(writer, state, { agent: 24, user: 168 }, () => []);
  const journal = createJournal(state, () => [identifyRoot(root) as RootIdentity]);
  const app = appOn(root, { loopDetection: false });
  const namesIn = (folder: string): readonly string[] => {
    mkdirSync(join(state.directory, folder), { recursive: true });
    return readdirSync(join(state.directory, folder));
  };
  return {
    root,
    home: { root, state: stateBeside(root), top: root },
    pruned: { backups: createBackups({ writer, state, journal }), state, journal, trash, recover: async () => {} },
    caller: callerOf(app),
    // Otherwise it would write at a random time.
    flush: app.session.audit.flush,
    namesIn,
  };
}

/** Lists records oldest first. */
const idsOf = (journal: Journal): readonly string[] => [...journal.records()].map(({ id }) => id).toReversed();

async function writeTimes(caller: Caller, times: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = 0; n < times; n++) {
    const { data } = await caller("write", { path: "a.txt", content: `${n}${ONE_KB}` });
    ids.push(data["change_id"] as string);
  }
  return ids;
}

it.each([
  { name: "all of it fits", bounds: PLENTY, afterMs: 0, left: 10 },
  { name: "it is too large", bounds: { ...PLENTY, mostBytes: 5500 }, afterMs: 0, left: 6 },
  { name: "each is too large by itself: the last stays", bounds: { ...PLENTY, mostBytes: 10 }, afterMs: 0, left: 1 },
  { name: "it is young enough", bounds: PLENTY, afterMs: PLENTY.mostMs - HOUR, left: 10 },
  { name: "it is too old: the last stays", bounds: PLENTY, afterMs: PLENTY.mostMs + HOUR, left: 1 },
])("the oldest history goes, with what it kept: $name", async ({ bounds, afterMs, left }) => {
  const { caller, pruned, namesIn } = workspace();
  const ids = await writeTimes(caller, 10);
  await prune(pruned, { ...bounds, nowMs: Date.now() + afterMs });
  expect(idsOf(pruned.journal)).toEqual(ids.slice(10 - left));
  expect(namesIn(".holdfast-store/objects")).toHaveLength(left);
  expect(unfinishedIn(pruned.state.directory)).toEqual([]);
  expect((await caller("undo")).code).toBe("ok");
});

it("kept changes can be undone; for removed ones undo says that they are gone", async () => {
  const { caller, pruned } = workspace();
  const ids = await writeTimes(caller, 4);
  await prune(pruned, { ...PLENTY, mostBytes: 1500, nowMs: Date.now() });
  expect((await caller("undo", { change_id: ids[0] })).code).toBe("not_found");
  expect((await caller("undo", { change_id: ids[3] })).code).toBe("ok");
});

it("an object that a recent change put back into an old backup stays", async () => {
  const { caller, pruned, root } = workspace();
  const { data } = await caller("write", { path: "new.txt", content: "new" });
  const undone = await caller("undo", { change_id: data["change_id"] });
  const again = await caller("undo", { change_id: undone.data["change_id"] });
  const gone = await caller("undo", { change_id: again.data["change_id"] });
  const ids = idsOf(pruned.journal);
  expect([gone.code, ids.length]).toEqual(["ok", 4]);
  // All but the last are old.
  for (const id of ids.slice(0, 3)) age(pruned.state.directory, id, 2 * LIMITS.historyMs);
  await prune(pruned, { ...PLENTY, nowMs: Date.now() });
  expect(idsOf(pruned.journal)).toEqual(ids.slice(3));
  expect((await caller("undo", { change_id: gone.data["change_id"] })).code).toBe("ok");
  expect(readFileSync(join(root, "new.txt"), "utf8")).toBe("new");
});

it("expired trash is erased, and nothing younger", async () => {
  const { caller, pruned } = workspace();
  await caller("delete", { path: "a.txt" });
  await caller("delete", { path: "d", recursive: true });
  const [young, old] = pruned.trash.items();
  const expiresMs = old?.expiresMs as number;
  await prune(pruned, { ...PLENTY, mostBytes: 0, nowMs: expiresMs - 1 });
  expect(pruned.trash.items()).toEqual([young, old]);
  pruned.state.write(
    `trash/${noteNameOf(young as TrashItem)}`,
    JSON.stringify({ ...young, expiresMs: expiresMs + HOUR }),
  );
  await prune(pruned, { ...PLENTY, nowMs: expiresMs });
  expect(pruned.trash.items().map(({ id }) => id)).toEqual([young?.id]);
  expect((await caller("restore", { path: "d" })).code).toBe("ok");
  expect((await caller("restore", { path: "a.txt" })).code).toBe("not_found");
});

it("a tree counts by the bytes of its files", async () => {
  const { caller, pruned, root } = workspace();
  writeFileSync(join(root, "d/deep.bin"), "x".repeat(10_000));
  await caller("copy", { source: "d", destination: "e" });
  const undone = await caller("undo");
  await caller("write", { path: "last.txt", content: "last" });
  await prune(pruned, { ...PLENTY, mostBytes: 11_000, nowMs: Date.now() });
  expect(idsOf(pruned.journal)).toContain(undone.data["change_id"]);
  await prune(pruned, { ...PLENTY, mostBytes: 9_000, nowMs: Date.now() });
  expect(idsOf(pruned.journal)).not.toContain(undone.data["change_id"]);
});

it("the history is pruned again after large backups", async () => {
  const { caller, pruned, root } = workspace();
  const limits = { ...LIMITS, historyBytes: 3500, historyPollMs: HOUR, historyNewBytes: 4500 };
  const pruneIfDue = createPruner(pruned, limits);
  const write = async (): Promise<ChangeRecord> => {
    const { data } = await caller("write", { path: "a.txt", content: `${Math.random()}${ONE_KB}`.slice(0, 1000) });
    return pruned.journal.read(data["change_id"] as string) as ChangeRecord;
  };
  await pruneIfDue(await write());
  const looks: boolean[] = [];
  for (let nth = 0; nth < 6; nth++) {
    const look = pruneIfDue(await write());
    looks.push(look !== undefined);
    await look;
  }
  expect(looks).toEqual([false, false, false, false, true, false]);
  expect(idsOf(pruned.journal)).toHaveLength(5);
  await caller("copy", { source: "d", destination: "e" });
  const { data } = await caller("undo");
  expect(pruneIfDue(pruned.journal.read(data["change_id"] as string) as ChangeRecord)).toBeInstanceOf(Promise);
  expect(readdirSync(root).toSorted()).toEqual(["a.txt", "d"]);
});

/** Uses a new pruner for each run: what only this process knows must not decide. */
it("a clock that jumps ahead erases nothing", async () => {
  const { caller, pruned } = workspace();
  await caller("delete", { path: "d", recursive: true });
  await writeTimes(caller, 2);
  const [item] = pruned.trash.items();
  const ids = idsOf(pruned.journal);
  const record = pruned.journal.read(ids[0] as string) as ChangeRecord;
  await createPruner(pruned)(record);
  vi.spyOn(Date, "now").mockReturnValue(Date.now() + 2 * LIMITS.historyMs);
  for (let look = 0; look < 3; look++) {
    // Otherwise the pruner would leave the history alone, because another one has just looked.
    pruned.state.remove("pruned");
    await createPruner(pruned)(record);
  }
  vi.restoreAllMocks();
  expect([pruned.trash.items(), idsOf(pruned.journal)]).toEqual([[item], ids]);
});

it("calls continue while much is pruned", async () => {
  const { caller, pruned } = workspace();
  await writeTimes(caller, 60);
  const order: string[] = [];
  const pruning = prune(pruned, { ...PLENTY, mostBytes: 10, nowMs: Date.now() }).then(() => order.push("pruned"));
  await Promise.all([
    caller("write", { path: "b.txt", content: "b" }).then(({ code }) => order.push(code)),
    caller("read", { path: "a.txt" }).then(({ code }) => order.push(code)),
    pruning,
  ]);
  expect(order).toEqual(["ok", "ok", "pruned"]);
});

/** Undoes the creation of a tree, whose backup is a tree: half of it must never be restored. */
it("a killed prune leaves a change that can be undone completely or not at all", async () => {
  const copyTakenBack = async ({ caller, flush }: ReturnType<typeof workspace>) => {
    await caller("copy", { source: "d", destination: "e" });
    const { data } = await caller("undo");
    await caller("write", { path: "last.txt", content: "last" });
    flush();
    return data["change_id"] as string;
  };
  const model = workspace();
  await copyTakenBack(model);
  const all = { ...PLENTY, mostMs: -HOUR, nowMs: Date.now() };
  const calls = await callsOf(() => prune(model.pruned, all));
  expect(calls.length).toBeGreaterThan(5);
  for (let nth = 1; nth <= calls.length; nth++) {
    const here = workspace();
    const id = await copyTakenBack(here);
    expect(await killedAt(nth, "before", here.home, () => prune(here.pruned, all))).toBe(true);
    const next = callerOn(here.root);
    await next("write", { path: "more.txt", content: "more" });
    const { code } = await next("undo", { change_id: id });
    const came = readdirSync(here.root).includes("e") ? readdirSync(join(here.root, "e")) : [];
    const isBack = code === "ok";
    expect(["ok", "not_found", "conflict"]).toContain(code);
    expect(came).toEqual(isBack ? ["a.txt", "b.txt"] : []);
    expect(unfinishedIn(here.home.state)).toEqual([]);
    expect(here.namesIn(".holdfast-store/objects").filter((name) => name.endsWith(PENDING_DELETION))).toEqual([]);
  }
});
