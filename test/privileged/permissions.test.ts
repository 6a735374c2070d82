import { chmodSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { runAlone } from "../contracts/run-alone.ts";
import { layout } from "../layout.ts";

const NOBODY = 65_534;

interface Answer {
  readonly code: string;
  readonly data: { readonly error?: { readonly path?: string }; readonly tree?: string };
}

/** Makes the calls, in the order given, in a process of another user, because root may open everything. */
function asNobody(roots: readonly string[], calls: readonly { tool: string; input: unknown }[]) {
  const orders = { roots, stateDirectory: join(roots[0] as string, "../state"), calls };
  const who = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const said = runAlone("test/privileged/fixtures/serve-as-nobody.ts", orders, who);
  return said as { uid: number; skipped: unknown; answers: Answer[] };
}

function plant(modes: Readonly<Record<string, number>>): string {
  const root = layout(["open", "closed/file", "private", "blind/file", "link => closed/file"]);
  chmodSync(dirname(root), 0o755);
  for (const [name, mode] of Object.entries(modes)) chmodSync(join(root, name), mode);
  return root;
}

const CALLS = [
  { tool: "read", path: "private", gives: "no_permission" },
  { tool: "stat", path: "private", gives: "ok" },
  { tool: "read", path: "closed/file", gives: "no_permission" },
  { tool: "read", path: "link", gives: "no_permission" },
  { tool: "stat", path: "closed/file", gives: "no_permission" },
  { tool: "stat", path: "closed/nope", gives: "no_permission" },
  { tool: "stat", path: "closed", gives: "ok" },
  { tool: "ls", path: "closed", gives: "no_permission" },
  { tool: "tree", path: "closed", gives: "no_permission" },
  { tool: "ls", path: "blind", gives: "no_permission" },
  { tool: "read", path: "blind/file", gives: "ok" },
  { tool: "ls", path: ".", gives: "ok" },
  { tool: "read", path: "open", gives: "ok" },
];

const callAll = (root: string) => {
  const calls = CALLS.map(({ tool, path }) => ({ tool, input: { path } }));
  return asNobody([root], calls);
};

it("reports what the system forbids, and goes on", () => {
  const { uid, answers } = callAll(plant({ private: 0o600, closed: 0o700, blind: 0o711 }));
  expect(uid).not.toBe(0);
  expect(answers.map(({ code }) => code)).toEqual(CALLS.map(({ gives }) => gives));
});

it("a search goes on, and counts what it could not open", () => {
  const root = plant({ closed: 0o700, blind: 0o711 });
  const { answers } = asNobody([root], [{ tool: "find", input: { pattern: "**", sort_by: "path" } }]);
  const paths = ["blind", "closed", "link", "open", "private"];
  expect(answers).toMatchObject([{ code: "ok", data: { unreadable: 2, matches: paths.map((path) => ({ path })) } }]);
});

it("names the path that was asked for, not a part of it", () => {
  const root = plant({ private: 0o600, closed: 0o700, blind: 0o711 });
  const refused = CALLS.filter(({ gives }) => gives !== "ok").map(({ path }) => join(root, path));
  expect(callAll(root).answers.flatMap(({ data }) => data.error?.path ?? [])).toEqual(refused);
});

it("draws a tree around what it may not open", () => {
  const root = plant({ closed: 0o700 });
  const { answers } = asNobody([root], [{ tool: "tree", input: {} }]);
  const tree = ["./", "  blind/", "    file", "  closed/ (cannot be opened)", "  link@", "  open", "  private"];
  expect(answers.map(({ data }) => data.tree)).toEqual([tree.join("\n")]);
});

it("skips a root that it may not read", () => {
  const root = plant({ closed: 0o700, blind: 0o711 });
  const [closed, blind] = [join(root, "closed"), join(root, "blind")];
  const { skipped, answers } = asNobody([closed, blind, root], [{ tool: "read", input: { path: "open" } }]);
  const why = { kind: "inaccessible", reason: "it cannot be read" };
  expect(skipped).toEqual([
    { given: closed, ...why },
    { given: blind, ...why },
  ]);
  expect(answers.map(({ code }) => code)).toEqual(["ok"]);
});
