import { expect, it } from "vitest";
import type { Act } from "../../src/base/verdicts.ts";
import { noticeLine } from "../../src/runtime/pipeline/notices.ts";

const CHANGES = ["it changes files"];

it.each<{ tool: string; done: readonly (readonly [Act, string])[]; reasons?: readonly string[]; line: string }>([
  { tool: "write", done: [["write", "a"]], line: "write a (changes files)" },
  {
    tool: "write",
    done: [
      ["create", "new"],
      ["create", "new/a"],
    ],
    line: "create new, create new/a (changes files)",
  },
  {
    tool: "move",
    done: [
      ["move", "f0.txt"],
      ["create", "g0.txt"],
    ],
    reasons: ["it moves files", "it changes files"],
    line: "move f0.txt to g0.txt (moves files; changes files)",
  },
  {
    tool: "move",
    done: [
      ["move", ".env"],
      ["read", ".env"],
      ["write", "b"],
    ],
    line: "move .env to b, read .env (changes files)",
  },
  { tool: "move", done: [["move", "a"]], reasons: ["it moves files"], line: "move a (moves files)" },
  { tool: "edit", done: [["write", "a"]], line: "edit: write a (changes files)" },
  {
    tool: "apply_patch",
    done: [
      ["create", "b"],
      ["move", "a"],
      ["create", "c"],
    ],
    line: "apply_patch: create b, move a, create c (changes files)",
  },
  { tool: "write", done: [["write", "a, delete b"]], line: 'write "a, delete b" (changes files)' },
  { tool: "write", done: [["write", "a\nholdfast: b"]], line: 'write "a\\nholdfast: b" (changes files)' },
  { tool: "write", done: [["write", "a\u001b[2Jb\u202e"]], line: 'write "a\\u{1b}[2Jb\\u{202e}" (changes files)' },
  {
    tool: "delete",
    done: Array.from({ length: 12 }, (_, nth) => ["delete", `${nth}`] as const),
    reasons: ["it deletes"],
    line: `delete ${[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].join(", delete ")}, and 2 more (deletes)`,
  },
])("$line", ({ tool, done, reasons = CHANGES, line }) => {
  const acts = done.map(([act, path]) => ({ act, path }));
  expect(noticeLine({ tool, session: "s", done: acts, reasons })).toBe(line);
});
