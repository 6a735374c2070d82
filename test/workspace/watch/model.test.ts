import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WatchEvent } from "../../../src/workspace/watch/event-queue.ts";
import { type Caller, callerOn, scratch } from "../../runtime/scratch.ts";

/** Nobody ever touches these: no event may name them. */
const STILL = { "still/one": "1", "still/deep/two": "2" };

const PLACES = ["a", "b", "c", "d/a", "d/b", "d/e/a", "d/e/b", "d", "d/e", "f", "f/d", "f/a"];

const place = fc.constantFrom(...PLACES);

/** What another program does when it can; where the disk refuses, nothing happens. */
const ACTS: Record<string, (root: string, call: Caller, one: string, other: string) => unknown> = {
  write: (root, _, one) => writeFileSync(join(root, one), String(Math.random())),
  append: (root, _, one) => appendFileSync(join(root, one), "more"),
  remove: (root, _, one) => rmSync(join(root, one), { recursive: true }),
  mkdir: (root, _, one) => mkdirSync(join(root, one), { recursive: true }),
  rename: (root, _, one, other) => renameSync(join(root, one), join(root, other)),
  save(root, _, one) {
    if (!existsSync(dirname(join(root, one)))) return;
    writeFileSync(join(root, `${one}.tmp`), String(Math.random()));
    renameSync(join(root, `${one}.tmp`), join(root, one));
  },
  backup(root, _, one) {
    renameSync(join(root, one), join(root, `${one}~`));
    writeFileSync(join(root, one), "again");
  },
  link: (root, _, one, other) => symlinkSync(join(root, other), join(root, one)),
  swap(root, _, one) {
    rmSync(join(root, one), { recursive: true });
    symlinkSync("/etc", join(root, one));
  },
  again(root, _, one) {
    rmSync(join(root, one), { recursive: true });
    mkdirSync(join(root, one));
    writeFileSync(join(root, one, "new"), "new");
  },
  pause: () => sleep(30),
  "own write": (_, call, one) => call("write", { path: one, content: String(Math.random()) }),
  "own move": (_, call, one, other) => call("move", { source: one, destination: other, overwrite: true }),
  "own delete": (_, call, one) => call("delete", { path: one, recursive: true }),
};

interface Step {
  readonly name: string;
  readonly one: string;
  readonly other: string;
}

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({ name: fc.constantFrom(...Object.keys(ACTS)), one: place, other: place }),
  { minLength: 5, maxLength: 60 },
);

async function take({ name, one, other }: Step, root: string, call: Caller): Promise<void> {
  try {
    await ACTS[name]?.(root, call, one, other);
  } catch (error) {
    // ENOENT, EEXIST and the like: the next step may fit.
    if (!(error instanceof Error && "errno" in error)) throw error;
  }
}

/** Everything below a root, a slash behind directories. */
function namesBelow(root: string, way = ""): readonly string[] {
  return readdirSync(join(root, way), { withFileTypes: true })
    .flatMap((entry) => {
      const name = way === "" ? entry.name : `${way}/${entry.name}`;
      return entry.isDirectory() ? [name, ...namesBelow(root, name)] : [name];
    })
    .toSorted();
}

/** Keeps a list of names by nothing but events, and minds every event that cannot be. */
function replay(names: Set<string>, event: WatchEvent): void {
  const { type, path, from } = event;
  const told = JSON.stringify(event);
  const below = (top: string): string[] => [...names].filter((name) => name.startsWith(`${top}/`));
  const isPlaced = (name: string): boolean => !name.includes("/") || names.has(dirname(name));
  if (path.startsWith("still")) throw new Error(`Nobody touched it: ${told}`);
  if (type === "modify" && !names.has(path)) throw new Error(`Not there: ${told}`);
  if (type === "create" && (names.has(path) || !isPlaced(path))) throw new Error(`Cannot come: ${told}`);
  if (type === "delete" && (!names.has(path) || below(path).length > 0)) throw new Error(`Cannot go: ${told}`);
  if (type === "rename" && (!names.has(from as string) || names.has(path) || !isPlaced(path)))
    throw new Error(`Cannot move: ${told}`);
  if (type === "create") names.add(path);
  if (type === "delete") names.delete(path);
  if (type !== "rename") return;
  for (const name of [from as string, ...below(from as string)]) {
    names.delete(name);
    names.add(path + name.slice((from as string).length));
  }
}

/** Comes and goes to see how far the watch is: what happened before is told by then, unless it has to look again. */
const MARK = "zz-mark";

/** All events until a mark came and went several times, and nothing else was told. */
async function settled(call: Caller, id: string, root: string): Promise<readonly WatchEvent[]> {
  const all: WatchEvent[] = [];
  for (let quiet = 0; quiet < 3; quiet++) {
    const before = all.length;
    writeFileSync(join(root, MARK), "");
    all.push(...(await eventsUntil(call, id, "create")));
    rmSync(join(root, MARK));
    all.push(...(await eventsUntil(call, id, "delete")));
    if (all.length > before) quiet = -1;
  }
  return all;
}

const isMark = ({ path }: WatchEvent): boolean => path === MARK;

/** The others that are told until this has happened to the mark. */
async function eventsUntil(call: Caller, id: string, type: WatchEvent["type"]): Promise<readonly WatchEvent[]> {
  const all: WatchEvent[] = [];
  while (!all.some((event) => isMark(event) && event.type === type)) {
    const { data } = await call("watch", { watch_id: id, wait_ms: 50_000 }, { repeats: true });
    expect(data).toMatchObject({ overflow: false, events: expect.arrayContaining([expect.anything()]) });
    all.push(...(data["events"] as readonly WatchEvent[]));
  }
  return all.filter((event) => !isMark(event));
}

describe("watching against a model", () => {
  it("misses nothing and makes nothing up, whatever is done", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const root = scratch({ ...STILL, a: "a", "d/a": "a", "d/e/a": "a" });
        const call = callerOn(root);
        const { data } = await call("watch", { path: "." });
        const names = new Set(namesBelow(root));
        for (const step of taken) await take(step, root, call);
        const events = await settled(call, data["watch_id"] as string, root);
        for (const event of events) replay(names, event);
        expect([...names].toSorted()).toEqual(namesBelow(root));
        const files = namesBelow(root).filter((name) => lstatSync(join(root, name)).isFile());
        for (const name of files) appendFileSync(join(root, name), "touched");
        const modified = (await settled(call, data["watch_id"] as string, root)).map(
          ({ type, path }) => `${type} ${path}`,
        );
        expect(modified.toSorted()).toEqual(files.map((name) => `modify ${name}`).toSorted());
        await call("watch", { watch_id: data["watch_id"], cancel: true });
      }),
      { numRuns: 30, endOnFailure: true },
    );
  });
});
