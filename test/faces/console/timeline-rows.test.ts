import { describe, expect, it } from "vitest";
import * as tools from "../../../src/tools/list.ts";
import type { TimelineEvent } from "../../../src/faces/console/contract.ts";
import { filtered } from "../../../src/faces/console/page/timeline/filter.ts";
import { stateOf } from "../../../src/faces/console/page/timeline/event-state.ts";
import { timelineRows } from "../../../src/faces/console/page/timeline/rows.ts";
import { verbOf } from "../../../src/faces/console/page/timeline/verb.ts";

/** Makes an event from "12:04:10 session kind tool subject". */
function event(line: string, more: Partial<TimelineEvent> = {}): TimelineEvent {
  const [time = "", session = "", kind = "", tool = "", subject = ""] = line.split(" ");
  return {
    id: time,
    time: `2026-11-14T${time}Z`,
    session,
    agent: "codex",
    principal: "agent",
    kind: kind as TimelineEvent["kind"],
    tool,
    subject,
    code: "ok",
    ms: 1,
    ...more,
  };
}

const linesOf = (...events: readonly TimelineEvent[]): readonly string[] =>
  timelineRows(events).map((row) => (row.kind === "event" ? row.id : `${row.kind} ${row.text}`));

describe("the rows of the timeline", () => {
  it("fold reads of one session in a row, by what they were", () => {
    expect(
      linesOf(
        event("12:04:10 a read read src/a.ts"),
        event("12:04:09 a read grep x"),
        event("12:04:08 a read find_files y"),
        event("12:04:07 a read list_directory src"),
        event("12:04:06 a read read b.ts"),
      ),
    ).toStrictEqual(["fold 2 reads, 2 searches, 1 listing"]);
  });

  it("say where, if all reads were in one directory", () => {
    expect(linesOf(event("12:04:10 a read read src/a.ts"), event("12:04:09 a read read src/b.ts"))).toStrictEqual([
      "fold 2 reads in src/",
    ]);
  });

  it("keep apart what another session read, a read alone, a refused read, and one with something to tell", () => {
    expect(
      linesOf(
        event("12:04:10 a read read a"),
        event("12:04:09 b read read a"),
        event("12:04:08 b read read a", { code: "denied" }),
        event("12:04:07 b read read .env", { message: "3 values hidden" }),
        event("12:04:06 b change edit a"),
      ),
    ).toStrictEqual(["12:04:10", "12:04:09", "12:04:08", "12:04:07", "12:04:06"]);
  });

  it("label a pause of five minutes, which no fold spans", () => {
    expect(
      linesOf(
        event("12:59:00 a read read a"),
        event("12:54:01 a read read a"),
        event("12:36:00 a read read a"),
        event("10:24:00 a read read a"),
      ),
    ).toStrictEqual(["fold 2 reads", "gap 18 minutes quiet", "12:36:00", "gap 2 hours 12 minutes quiet", "10:24:00"]);
  });

  it("name a fold by its oldest read, so that a newer one that joins does not rename it", () => {
    const older = [event("12:04:09 a read read a"), event("12:04:08 a read read a")];
    const [before] = timelineRows(older);
    const [after] = timelineRows([event("12:04:10 a read read a"), ...older]);
    expect(after?.id).toBe(before?.id);
  });
});

it("a command that changed files is a change as well", () => {
  const change = { id: "c", time: "", session: "a", agent: "", tool: "exec", files: [], undone: false, undoes: [] };
  const command = event("12:00:01 a command exec x", { change: { ...change, principal: "agent" } });
  const events = [command, event("12:00:02 a command exec y"), event("12:00:03 a blocked write z")];
  const ids = (filter: Parameters<typeof filtered>[1]): readonly string[] =>
    filtered(events, filter).map(({ id }) => id);
  expect([ids("Changes"), ids("Commands"), ids("Blocked"), ids("Waiting"), ids("All").length]).toStrictEqual([
    ["12:00:01"],
    ["12:00:01", "12:00:02"],
    ["12:00:03"],
    [],
    3,
  ]);
});

it.each([
  { code: "once", word: "Approved" },
  { code: "always", word: "Approved" },
  { code: "deny", word: "Denied" },
])("the answer $code to a question is a row of its own: $word", ({ code, word }) => {
  const answer = event("12:00:01 a asked approval delete", { code });
  expect([verbOf(answer.tool), stateOf(answer, []).word]).toStrictEqual(["answer", word]);
});

it("every verb of a tool fits into its column", () => {
  expect(
    Object.values(tools)
      .map(({ name }) => verbOf(name))
      .filter((verb) => verb.length > 7),
  ).toStrictEqual([]);
});
