import { expect, it } from "vitest";
import { createState } from "../../../../src/storage/local/state/state.ts";
import { confirmedTime, readClock } from "../../../../src/workspace/changes/trash/clock.ts";
import { scratch, stateBeside } from "../../../runtime/scratch.ts";

const HOUR = 3_600_000;
const YEAR = 365 * 24 * HOUR;

/** Holds hours on the monotonic clock, hours on the system clock, the boot, and the time that is confirmed then. */
type Look = readonly [monotonic: number, wall: number, boot: string, confirmed: number | null];

interface Row {
  readonly name: string;
  readonly looks: readonly Look[];
}

const JUMP = YEAR / HOUR;

const ROWS: readonly Row[] = [
  { name: "the first look confirms nothing", looks: [[5, 100, "a", null]] },
  {
    name: "what was passed an hour ago is confirmed",
    looks: [
      [0, 100, "a", null],
      [0.5, 100.5, "a", null],
      [1, 101, "a", 100],
      [1.5, 101.5, "a", 100],
      [2, 102, "a", 101],
      [9, 109, "a", 102],
    ],
  },
  {
    name: "a jump that is put right within the hour is never believed",
    looks: [
      [0, 100, "a", null],
      [1, 101 + JUMP, "a", 100],
      [1.9, 101.9 + JUMP, "a", 100],
      [2.1, 102.1, "a", 102.1],
      [3.5, 103.5, "a", 103.5],
    ],
  },
  {
    name: "a clock that stays ahead is believed in the end",
    looks: [
      [0, 100, "a", null],
      [1, 101 + JUMP, "a", 100],
      [2, 102 + JUMP, "a", 101 + JUMP],
    ],
  },
  {
    name: "two boots are apart, however close",
    looks: [
      [7, 100, "a", null],
      [7.1, 100.1, "b", 100],
    ],
  },
  {
    name: "a monotonic clock that runs backwards is that of another boot",
    looks: [
      [7, 100, "0", null],
      [0.1, 100.1, "0", 100],
    ],
  },
];

it.each(ROWS)("$name", ({ looks }) => {
  const root = scratch();
  const state = createState(stateBeside(root));
  for (const [monotonic, wall, boot, confirmed] of looks) {
    const look = { monotonicMs: monotonic * HOUR, wallMs: wall * HOUR, boot };
    expect(confirmedTime(state, look)).toBe(confirmed === null ? -Infinity : confirmed * HOUR);
  }
});

it.each(["", "{", "null", "[null]", '[{"wallMs":"1"}]', '"x"'])("a file that holds %j confirms nothing", (text) => {
  const root = scratch();
  const state = createState(stateBeside(root));
  state.write("clock", text);
  expect(confirmedTime(state, readClock(state))).toBe(-Infinity);
  expect(JSON.parse(state.read("clock") ?? "")).toHaveLength(1);
});
