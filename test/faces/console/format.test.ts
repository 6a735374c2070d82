import { describe, expect, it } from "vitest";
import { pathParts } from "../../../src/faces/console/page/format/path-parts.ts";
import { bytesText, counted } from "../../../src/faces/console/page/format/quantity.ts";
import { shown } from "../../../src/faces/console/page/format/shown.ts";
import {
  briefSpan,
  dayAndTime,
  dayName,
  restSpan,
  stopwatch,
  tookText,
} from "../../../src/faces/console/page/format/time.ts";
import { plainOutput } from "../../../src/faces/console/page/jobs/plain-output.ts";
import { verbOf } from "../../../src/faces/console/page/timeline/verb.ts";

const at = (day: number): string => new Date(2026, 10, day, 9, 5).toISOString();

describe("text for people", () => {
  it.each<[unknown, unknown]>([
    [bytesText(0), "0 B"],
    [bytesText(900), "0.9 kB"],
    [bytesText(41_000), "41 kB"],
    [bytesText(9_960), "10 kB"],
    [bytesText(2_300_000), "2.3 MB"],
    [bytesText(2_000_000_000), "2 GB"],
    [counted(1, "search", "searches"), "1 search"],
    [counted(1204, "file"), "1,204 files"],
    [briefSpan(-3), "0 s"],
    [briefSpan(40), "40 s"],
    [briefSpan(3599), "59 min"],
    [briefSpan(90_000), "1 d"],
    [restSpan(83_220), "23 h 07 min"],
    [restSpan(324_000), "3 d 18 h"],
    [stopwatch(134), "02:14"],
    [stopwatch(3734), "1:02:14"],
    [tookText(0.012), "12 ms"],
    [tookText(1.5), "1.5 s"],
    [tookText(14), "14 s"],
    [pathParts("src/a/b.ts"), { directory: "src/a/", name: "b.ts" }],
    [pathParts("src/old/"), { directory: "src/", name: "old/" }],
    [pathParts("b.ts"), { directory: "", name: "b.ts" }],
    [shown("a\u202Eb\nc\td"), "a\\u{202e}b\\nc\\td"],
    [verbOf("apply_patch"), "patch"],
    [verbOf("multi_edit"), "edit"],
    [verbOf("list_directory"), "list"],
    [verbOf("create_directory"), "mkdir"],
    [verbOf("read_file"), "read"],
    [verbOf("some_tool"), "some_tool"],
  ])("%j is %j", (given, expected) => {
    expect(given).toStrictEqual(expected);
  });

  it("names days around today", () => {
    const now = new Date(2026, 10, 14, 14, 32);
    expect([15, 14, 13, 12].map((day) => dayName(at(day), now.getTime()))).toStrictEqual([
      "Tomorrow",
      "Today",
      "Yesterday",
      "Thu 12 Nov",
    ]);
    expect(dayAndTime(at(14), now.getTime())).toBe("today 09:05");
  });
});

describe("output", () => {
  it.each([
    ["\u001B[32mgreen\u001B[39m", "green"],
    ["\u001B]0;title\u0007text", "text"],
    ["\u001B]8;;http://x\u001B\\link", "link"],
    ["10 %\r20 %\r30 %\nnext", "30 %\nnext"],
    ["dos\r\nline\r\n", "dos\nline\n"],
    ["unfinished \u001B", "unfinished "],
    ["\u001B]0;cut\nnext", "\nnext"],
  ])("of %j is plain", (text, expected) => {
    expect(plainOutput(text)).toBe(expected);
  });
});
