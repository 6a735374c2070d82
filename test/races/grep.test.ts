import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { serve } from "../contracts/serve.ts";
import { layout } from "../layout.ts";
import { race, type Try, UNHARMED } from "./race.ts";

/** Has the same names and lengths on both sides; only the text reveals where it came from. */
const TREE = [
  "dir/same = needle inside",
  "dir/none = nothing here",
  "dir/deep/same = needle inside",
  "dir.link => ../outside",
  "file = needle inside",
  "file.link => ../outside/same",
  "../outside/same = needle secret needle secret",
  "../outside/none = needle secret",
  "../outside/secret = needle secret",
  "../outside/deep/same = needle secret",
];

const ROUNDS = [1, 2];
const CALLS = 400;
const REFUSALS = ["swapped", "outside_workspace", "not_found", "not_a_directory"];

/** Reveals neither a line nor a name, nor a count of what is only outside. */
const INPUTS = [
  { pattern: "needle" },
  { pattern: "needle", path: "dir", context: 3, enclosing: true },
  { pattern: "needle", path: "file" },
  { pattern: "needle\\sinside", multiline: true },
  { pattern: "secret", mode: "total" },
  { pattern: "secret", mode: "count" },
  { pattern: "secret", mode: "files", path: "dir" },
  { pattern: "(secret)", count_by: 1 },
];

it.each(ROUNDS)("no swap leads a search outside, where ripgrep alone is fooled, round %i", async () => {
  const root = layout(TREE);
  const swapped = ["dir", "dir.link", "file", "file.link"].map((name) => `${root}/${name}`);
  const { rgPath } = await import("@vscode/ripgrep");
  const alone = { tries: 0, fooled: 0 };
  const result = await race({
    swapped,
    times: CALLS,
    tries: triesIn(root),
    refusals: [...REFUSALS, "no match"],
    alongside(count) {
      if (count % 2 > 0) return;
      alone.tries++;
      alone.fooled += Number(spawnSync(rgPath, ["--no-config", "secret", root]).stdout.includes("secret"));
    },
  });
  console.log(`Raced searches: ${JSON.stringify({ ...result, alone })}`);
  expect(result).toMatchObject(UNHARMED);
  expect(alone.fooled).toBeGreaterThan(0);
});

function triesIn(root: string): readonly Try[] {
  const holdfast = serve([root]);
  return INPUTS.map((input) => async () => {
    const { isError, text, data } = await holdfast.call<string>("grep", input);
    if (`${text}${JSON.stringify(data)}`.includes("secret")) return `escaped: ${text}`;
    const { code = "", message = "" } = (data["error"] ?? {}) as { code?: string; message?: string };
    if (isError) return REFUSALS.includes(code) ? code : `${code}: ${message}`;
    const total = data["total_matches"] as number;
    if (input.pattern.includes("secret")) return total === 0 ? "inside" : `escaped: counted ${total}`;
    return total === 0 ? "no match" : "inside";
  });
}
