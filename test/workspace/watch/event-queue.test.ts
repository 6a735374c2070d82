import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { createEventQueue, type WatchEvent } from "../../../src/workspace/watch/event-queue.ts";

const modify = (path: string, change_id?: string): WatchEvent => ({
  type: "modify",
  path,
  ...(change_id !== undefined && { change_id }),
});
const create = (path: string): WatchEvent => ({ type: "create", path });
const remove = (path: string): WatchEvent => ({ type: "delete", path });

describe("the queue of a watch", () => {
  it.each([
    { name: "modified twice", events: [modify("a"), modify("a")], expected: [modify("a")] },
    { name: "new and modified", events: [create("a"), modify("a")], expected: [create("a")] },
    {
      name: "by another change",
      events: [modify("a", "1"), modify("a", "2")],
      expected: [modify("a", "1"), modify("a", "2")],
    },
    { name: "others between", events: [modify("a"), modify("b"), modify("a")], expected: [modify("a"), modify("b")] },
    {
      name: "gone between",
      events: [create("a"), remove("a"), create("a")],
      expected: [create("a"), remove("a"), create("a")],
    },
  ])("$name", ({ events, expected }) => {
    const queue = createEventQueue();
    for (const event of events) queue.add([event]);
    expect(queue.read().events).toEqual(expected);
  });

  it("an event that was read already is reported again when it happens again", () => {
    const queue = createEventQueue();
    queue.add([modify("a")]);
    queue.read();
    queue.add([modify("a")]);
    expect(queue.read().events).toEqual([modify("a")]);
  });

  it("returns a page again until a later one was read", () => {
    const queue = createEventQueue();
    queue.add([create("a")]);
    const first = queue.read();
    expect(first).toEqual({ events: [create("a")], cursor: "1", overflow: false, more: 0 });
    expect(queue.read("0")).toEqual(first);
    queue.add([create("b")]);
    expect(queue.read("1")).toEqual({ events: [create("b")], cursor: "2", overflow: false, more: 0 });
    expect(queue.read("0").overflow).toBe(true);
  });

  it("returns many events page by page, each of them once", () => {
    const queue = createEventQueue();
    const all = Array.from({ length: 2 * LIMITS.eventsPerAnswer + 1 }, (_, n) => create(`f${n}`));
    queue.add(all);
    const pages = [queue.read(), queue.read(), queue.read()];
    expect(pages.map(({ events, more }) => [events.length, more])).toEqual([
      [500, 501],
      [500, 1],
      [1, 0],
    ]);
    expect(pages.flatMap(({ events }) => events)).toEqual(all);
    expect(queue.hasMore()).toBe(false);
  });

  it("says once that events were lost, and goes on", () => {
    const queue = createEventQueue();
    queue.add(Array.from({ length: LIMITS.queuedEvents + 1 }, (_, n) => create(`f${n}`)));
    expect(queue.hasMore()).toBe(true);
    expect(queue.read()).toMatchObject({ events: [], overflow: true });
    queue.add([create("after")]);
    expect(queue.read()).toMatchObject({ events: [create("after")], overflow: false });
  });

  it("keeps what is known when hints were lost", () => {
    const queue = createEventQueue();
    queue.add([create("before")]);
    queue.markOverflow();
    queue.add([create("after")]);
    expect(queue.read()).toMatchObject({ events: [create("before"), create("after")], overflow: true });
    expect(queue.read()).toMatchObject({ events: [], overflow: false });
  });

  it.each(["2", "-1", "x", "", "1.5"])("refuses the cursor %j, which it never returned", (cursor) => {
    const queue = createEventQueue();
    queue.add([create("a")]);
    expect(() => queue.read(cursor)).toThrow(/copy it unchanged/);
  });

  it("wakes a waiting reader, and no reader waits for ever", async () => {
    const queue = createEventQueue();
    const arrival = queue.waitForEvent(60_000);
    queue.add([create("a")]);
    await expect(arrival).resolves.toBeUndefined();
    await expect(queue.waitForEvent(1)).resolves.toBeUndefined();
  });
});
