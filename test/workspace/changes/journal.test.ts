import { copyFileSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createState } from "../../../src/storage/local/state/state.ts";
import type { State } from "../../../src/storage/state.ts";
import type { SafePath } from "../../../src/storage/storage.ts";
import type { ChangeRecord, Effect } from "../../../src/workspace/changes/change.ts";
import { createJournal, type JournalEntry, type Journal } from "../../../src/workspace/changes/journal/journal.ts";
import { newChangeId } from "../../../src/workspace/changes/journal/change-id.ts";
import { scratch, stateBeside } from "../../runtime/scratch.ts";

/** Is so long that a few of them fill a journal. */
const LONG = "ä".repeat(15_000);

function recordOf(id: string): ChangeRecord {
  const image = { kind: "file", version: "v", size: 1, mode: 0o644, modifiedMs: 1, identity: "1:1" } as const;
  const delta = { at: 0, length: 0, inserted: LONG };
  const effect = { action: "create", path: "/w/f" as SafePath, before: null, after: image, delta } as const;
  return { id, timeMs: 1, session: "s", principal: "agent", tool: "write", effects: [effect] };
}

function stateOf(): State {
  const root = scratch();
  return createState(stateBeside(root));
}

const filesIn = (state: State, folder: string): readonly string[] => readdirSync(join(state.directory, folder));

it.each(["/w/plain", '/w/"quoted"', "/w/back\\slash", "/w/\u0001", "/w/ümläut"])(
  "finds the records of what is at or below %j, and all undos",
  (path) => {
    const state = stateOf();
    const journal = createJournal(state, () => []);
    const commit = (at: string, more: Partial<ChangeRecord> = {}): string => {
      const entry = journal.beginEntry();
      const id = newChangeId(state);
      const [effect] = recordOf(id).effects;
      entry.commit({ ...recordOf(id), effects: [{ ...(effect as Effect), path: at as SafePath }], ...more }, []);
      entry.end();
      return id;
    };
    const ids = [commit(path), commit(`${path}/f`), commit("/w/other"), commit("/w/other", { undoes: ["x"] })];
    const found = [...journal.recordsWith(path)].flatMap((record) => record?.id ?? []);
    expect(found).toEqual([ids[3], ids[1], ids[0]]);
  },
);

it("journals of several processes are one history, newest first, without removed records", () => {
  const states = fc.record({
    writers: fc.array(fc.nat(2), { minLength: 1, maxLength: 60 }),
    forgotten: fc.array(fc.nat(59), { maxLength: 60 }),
    named: fc.nat(59),
  });
  fc.assert(
    fc.property(states, ({ writers, forgotten, named }) => {
      const state = stateOf();
      const journals = [
        createJournal(state, () => []),
        createJournal(state, () => []),
        createJournal(state, () => []),
      ] as const;
      const ids = writers.map((nth) => commitTo(state, journals[nth as 0 | 1 | 2]));
      const reader = createJournal(state, () => []);
      const gone = new Set(forgotten.map((nth) => ids[nth % ids.length] as string));
      for (const id of gone) reader.remove(id);
      const left = ids.filter((id) => !gone.has(id)).toReversed();
      expect([...reader.records()].map(({ id }) => id)).toEqual(left);
      const one = ids[named % ids.length] as string;
      expect([...reader.recordsWith(one)].flatMap((record) => record?.id ?? [])).toEqual(
        left.filter((id) => id === one),
      );
      for (const id of ids) expect(reader.read(id)).toEqual(gone.has(id) ? null : { ...recordOf(id), roots: [] });
      expect(reader.unfinishedTransactions()).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

function commitTo(state: State, journal: Journal): string {
  const entry = journal.beginEntry();
  const id = newChangeId(state);
  entry.commit(recordOf(id), []);
  entry.end();
  return id;
}

it("a long journal is archived, and removed with its last record", () => {
  const state = stateOf();
  const journal = createJournal(state, () => []);
  const ids = Array.from({ length: 20 }, () => commitTo(state, journal));
  const filed = filesIn(state, "changes");
  expect(filed.length).toBeGreaterThan(1);
  expect(filesIn(state, "pending").length).toBeLessThan(2);
  for (const id of ids) journal.remove(id);
  expect(filesIn(state, "changes")).toEqual([]);
});

it("steps that were rolled back leave no trace beside another change set in the same journal", () => {
  const state = stateOf();
  const journal = createJournal(state, () => []);
  const [other, entry] = [journal.beginEntry(), journal.beginEntry()];
  const staged = `/w/.holdfast-${other.tag}-0` as SafePath;
  other.logStaged([staged]);
  journal.isInterrupted();
  entry.logSteps([{ do: "mkdir", path: "/w/d" as SafePath }]);
  entry.retract();
  other.abandon();
  entry.abandon();
  expect(
    journal.unfinishedTransactions().flatMap(({ sets }) => sets.map(({ staged: left, steps }) => ({ left, steps }))),
  ).toEqual([{ left: [staged], steps: [] }]);
});

const LOSSES = {
  removed: (file: string) => rmSync(file),
  "replaced by a copy": (file: string) => {
    copyFileSync(file, `${file}.copy`);
    renameSync(`${file}.copy`, file);
  },
};

const LOGGED = {
  "a file is staged": (entry: JournalEntry) => entry.logStaged([]),
  "steps are logged": (entry: JournalEntry, journal: Journal) => {
    journal.isInterrupted();
    entry.logSteps([]);
  },
};

describe.each(Object.entries(LOSSES))("continues in a new file when its own was %s", (_loss, lose) => {
  it.each(Object.entries(LOGGED))("before %s", (_name, write) => {
    const state = stateOf();
    const journal = createJournal(state, () => []);
    commitTo(state, journal);
    const entry = journal.beginEntry();
    for (const name of state.list("pending")) lose(join(state.directory, "pending", name));
    const kept = [...journal.records()].map((record) => record.id);
    expect(() => write(entry, journal)).toThrow("the journal was removed");
    entry.end();
    const id = commitTo(state, journal);
    expect([...journal.records()].map((record) => record.id)).toEqual([id, ...kept]);
  });
});

it("gives changes of several storages different ids, in the order of their commits", () => {
  const states = [stateOf(), stateOf(), stateOf()];
  const ids = Array.from({ length: 30 }, (_, nth) => newChangeId(states[nth % 3] as State));
  expect(new Set(ids).size).toBe(30);
  expect(ids.toSorted()).toEqual(ids);
});
