import { expect, it } from "vitest";
import type { CallResult } from "../../../src/faces/sdk/holdfast.ts";
import { HOSTILE_PATHS, type HostilePath, OUTSIDE } from "../../../src/testing/hostile-path-rows.ts";
import { namesIn, requireNoLeak } from "../../../src/testing/outcomes.ts";
import { serve } from "../../contracts/serve.ts";
import { layout } from "../../layout.ts";
import { spelled } from "../../../src/testing/tree.ts";

const TOOLS = {
  read: {},
  stat: {},
  ls: {},
  tree: { depth: 1, include_hidden: true, include_ignored: true },
} as const;

it.each(HOSTILE_PATHS)("tools: $name", async (row) => {
  const root = layout([...row.tree, ...OUTSIDE]);
  const holdfast = serve([root]);
  const path = spelled(row.path, root);
  const answers = Object.entries(TOOLS).map(async ([tool, options]) => {
    const answer = await holdfast.call(tool, { ...options, path });
    requireNoLeak(`${answer.text} ${JSON.stringify(answer.data)}`, path);
    return [tool, gist(answer)];
  });
  expect(Object.fromEntries(await Promise.all(answers))).toEqual(expected(row));
});

/** Reduces an answer to its outcome. A missing path is an answer of stat and a fault of the others. */
function gist({ isError, data }: CallResult): unknown {
  if (isError) return (data["error"] as { code: string }).code;
  const { exists, type, target, outside, dangling, entries, content, total } = data;
  if (content !== undefined) return { says: content };
  if (exists === false) return "not_found";
  if (exists) return JSON.parse(JSON.stringify({ type, target, outside, dangling }));
  return entries ? { holds: (entries as { name: string }[]).map(({ name }) => name) } : { total };
}

function expected({ tree, gives, keeps }: HostilePath) {
  const [kind, place = ""] = split(gives);
  const noTarget = gives === "not_found" ? { dangling: true } : { outside: true };
  const target = place === "" ? noTarget : { target: place };
  const stat = keeps === undefined ? { type: kind } : { type: "symlink", ...target };
  if (kind === "file") return { read: { says: place }, stat, ls: "not_a_directory", tree: "not_a_directory" };
  const holds = namesIn(tree, place);
  if (kind === "directory") return { read: "not_a_file", stat, ls: { holds }, tree: { total: holds.length } };
  const unlessLink = gives === "not_a_directory" ? "not_found" : gives;
  return { read: gives, stat: keeps === undefined ? unlessLink : stat, ls: gives, tree: gives };
}

const split = (gives: string): readonly [string, string?] => {
  const space = gives.indexOf(" ");
  return space < 0 ? [gives] : [gives.slice(0, space), gives.slice(space + 1)];
};
