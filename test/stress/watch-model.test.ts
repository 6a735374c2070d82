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
import type { WatchEvent } from "../../src/workspace/watch/event-queue.ts";
import { type Caller, callerOn, scratch } from "../runtime/scratch.ts";

/** Are files that no step touches, so that no event may name them. */
const STILL = { "still/one": "1", "still/deep/two": "2" };

const PLACES = ["a", "b", "c", "d/a", "d/b", "d/e/a", "d/e/b", "d", "d/e", "f", "f/d", "f/a"];

const place = fc.constantFrom(...PLACES);

/** Are acts of another program or of our tools; an act that the disk refuses changes nothing. */
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

/** Lists every path below a root. */
function namesBelow(root: string, directory = ""): readonly string[] {
  return readdirSync(join(root, directory), { withFileTypes: true })
    .flatMap((entry) => {
      const name = directory === "" ? entry.name : `${directory}/${entry.name}`;
      return entry.isDirectory() ? [name, ...namesBelow(root, name)] : [name];
    })
    .toSorted();
}

/** Applies an event to a set of names; throws if the event is impossible. */
function replay(names: Set<string>, event: WatchEvent): void {
  const { type, path, from } = event;
  const shown = JSON.stringify(event);
  const below = (top: string): string[] => [...names].filter((name) => name.startsWith(`${top}/`));
  const isPlaced = (name: string): boolean => !name.includes("/") || names.has(dirname(name));
  if (path.startsWith("still")) throw new Error(`Nobody touched it: ${shown}`);
  if (type === "modify" && !names.has(path)) throw new Error(`Not there: ${shown}`);
  if (type === "create" && (names.has(path) || !isPlaced(path))) throw new Error(`Cannot come: ${shown}`);
  if (type === "delete" && (!names.has(path) || below(path).length > 0)) throw new Error(`Cannot go: ${shown}`);
  if (type === "rename" && (!names.has(from as string) || names.has(path) || !isPlaced(path)))
    throw new Error(`Cannot move: ${shown}`);
  if (type === "create") names.add(path);
  if (type === "delete") names.delete(path);
  if (type !== "rename") return;
  for (const name of [from as string, ...below(from as string)]) {
    names.delete(name);
    names.add(path + name.slice((from as string).length));
  }
}

/** Is created and deleted as a marker: earlier changes are reported before it, unless the watch has to retry. */
const MARKER = "zz-marker";

/** Returns all events until the marker came and went three times without any other event. */
async function eventsUntilQuiet(call: Caller, id: string, root: string): Promise<readonly WatchEvent[]> {
  const all: WatchEvent[] = [];
  for (let quiet = 0; quiet < 3; quiet++) {
    const before = all.length;
    writeFileSync(join(root, MARKER), "");
    all.push(...(await eventsUntil(call, id, "create")));
    rmSync(join(root, MARKER));
    all.push(...(await eventsUntil(call, id, "delete")));
    if (all.length > before) quiet = -1;
  }
  return all;
}

const isMarker = ({ path }: WatchEvent): boolean => path === MARKER;

/** Returns the other events until this type of event is reported for the marker. */
async function eventsUntil(call: Caller, id: string, type: WatchEvent["type"]): Promise<readonly WatchEvent[]> {
  const all: WatchEvent[] = [];
  while (!all.some((event) => isMarker(event) && event.type === type)) {
    const { data } = await call("watch", { watch_id: id, wait_ms: 50_000 }, { repeats: true });
    expect(data).toMatchObject({ overflow: false, events: expect.arrayContaining([expect.anything()]) });
    all.push(...(data["events"] as readonly WatchEvent[]));
  }
  return all.filter((event) => !isMarker(event));
}

describe("watching against a model", () => {
  it.each([1, 2, 3])("reports every change and no other, for any sequence of acts, round %i", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const root = scratch({ ...STILL, a: "a", "d/a": "a", "d/e/a": "a" });
        const call = callerOn(root);
        const { data } = await call("watch", { path: "." });
        const names = new Set(namesBelow(root));
        for (const step of taken) await take(step, root, call);
        const events = await eventsUntilQuiet(call, data["watch_id"] as string, root);
        for (const event of events) replay(names, event);
        expect([...names].toSorted()).toEqual(namesBelow(root));
        const files = namesBelow(root).filter((name) => lstatSync(join(root, name)).isFile());
        for (const name of files) appendFileSync(join(root, name), "touched");
        const modified = (await eventsUntilQuiet(call, data["watch_id"] as string, root)).map(
          ({ type, path }) => `${type} ${path}`,
        );
        expect(modified.toSorted()).toEqual(files.map((name) => `modify ${name}`).toSorted());
        await call("watch", { watch_id: data["watch_id"], cancel: true });
      }),
      { numRuns: 10, endOnFailure: true },
    );
  });
});
