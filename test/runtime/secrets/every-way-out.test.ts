import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Options } from "../../../src/app/options.ts";
import { questionPage } from "../../../src/runtime/approvals/question-page.ts";
import { questionText } from "../../../src/runtime/effects/effect-text.ts";
import { noticeLine } from "../../../src/runtime/pipeline/notices.ts";
import { appOn, type Caller, callerOf, scratch, stateBeside } from "../scratch.ts";

const TOKEN = "t0ps3cr3t-vqlue-0f-a-t0ken";
const PLACEHOLDER = "‹secret:API_TOKEN#1›";
/** A name that another program gave. */
const NAMED = `backup-${TOKEN}.txt`;
const LONG = `${"-".repeat(150)}${TOKEN}${"-".repeat(99)}`;

interface Scene {
  readonly root: string;
  readonly call: Caller;
  /** All that was said besides the answers. */
  readonly said: unknown[];
}

/** A session that has met a secret, and writes down all that leaves it. */
async function scene(options: Partial<Options> = {}): Promise<Scene & { close(): void }> {
  const tree = { ".env": `API_TOKEN=${TOKEN}\nMODE=dev\n`, "notes.txt": `one ${TOKEN} two\n${LONG}\nend\n`, d: null };
  const root = scratch({ ...tree, [NAMED]: "x\n" });
  const said: unknown[] = [];
  const app = appOn(root, {
    loopDetection: false,
    onNotice: (notice) => void said.push(noticeLine(notice), notice),
    warn: (line) => void said.push(line),
    approver: async (shown) => {
      said.push(questionText(shown), questionPage(shown), JSON.stringify(shown.effect));
      return { decision: "once" };
    },
    ruleSource: { layers: [{ name: "user", rules: RULES }] },
    ...options,
  });
  const call = callerOf(app);
  await call("read", { path: ".env" });
  said.length = 0;
  return { root, call, said, close: app.close };
}

const RULES = [
  { act: ["write" as const, "move" as const], decide: "notify" as const, origin: "test" },
  { act: "delete" as const, decide: "approval" as const, origin: "test" },
];

function auditOf(root: string): string {
  const state = stateBeside(root);
  const logs = readdirSync(state, { recursive: true, encoding: "utf8" }).filter((name) => /audit-[^/]*$/.test(name));
  return logs.map((name) => readFileSync(join(state, name), "utf8")).join("");
}

/** Every stretch of the value that is long enough to tell something. */
const PIECES = Array.from({ length: TOKEN.length - 5 }, (_, at) => TOKEN.slice(at, at + 6));

it.each<{ name: string; isQuiet?: true; act(scene: Scene): Promise<unknown> }>([
  { name: "a listing", act: ({ call }) => call("ls", {}) },
  {
    name: "a tree, a search for names and facts",
    act: async ({ call }) => [
      await call("tree", {}),
      await call("find", { pattern: "*.txt" }),
      await call("stat", { path: NAMED }),
    ],
  },
  {
    name: "events of a watch",
    async act({ root, call }) {
      const { data } = await call("watch", { path: "." });
      const [watch_id, cursor] = [data["watch_id"], data["cursor"]];
      writeFileSync(join(root, `d/${TOKEN}`), "x");
      renameSync(join(root, NAMED), join(root, `d/${NAMED}`));
      return call("watch", { watch_id, cursor, wait_ms: 5000 });
    },
  },
  {
    name: "an edit that is not found",
    act: ({ call }) => call("edit", { path: "notes.txt", oldText: "one t0 two\n---", newText: "x" }),
  },
  {
    name: "an edit that is found in several places",
    act: ({ call }) => call("edit", { path: "notes.txt", oldText: "-", newText: "x" }),
  },
  {
    name: "an edit of a file of secrets that is not found",
    act: ({ call }) => call("edit", { path: ".env", oldText: "API_TOKEN=t0psX\nMODE=dev", newText: "x" }),
  },
  {
    name: "an edit, with its diff and notice",
    act: ({ call }) => call("edit", { path: "notes.txt", oldText: "two", newText: "three" }),
  },
  {
    name: "a patch that does not apply",
    isQuiet: true,
    act: ({ call }) =>
      call("apply_patch", {
        input: "*** Begin Patch\n*** Update File: notes.txt\n@@\n-one x two\n+y\n*** End Patch\n",
      }),
  },
  {
    name: "a merge that collides",
    async act({ root, call }) {
      const { data } = await call("read", { path: "notes.txt" });
      const other = readFileSync(join(root, "notes.txt"), "utf8").replace("---\n", `--+ ${TOKEN}\n`);
      writeFileSync(join(root, "notes.txt"), other);
      const edits = [{ oldText: "-\nend", newText: "!\nend" }];
      return [
        await call("edit", { path: "notes.txt", if_match: data["version"], edits }),
        await call("write", { path: "notes.txt", content: "mine\n" }),
      ];
    },
  },
  {
    name: "a call that is asked for, in a dialog and on a page",
    act: async ({ call }) => [await call("delete", { path: "notes.txt" }), await call("delete", { path: NAMED })],
  },
  {
    name: "a notice of a file with a name that holds it",
    act: ({ call }) => call("write", { path: NAMED, content: "y\n" }),
  },
  {
    name: "history, undo and what is in the trash",
    async act({ call }) {
      await call("write", { path: "new.txt", content: `a ${PLACEHOLDER} b\n` });
      await call("edit", { path: "notes.txt", oldText: "one", newText: "1" });
      await call("delete", { path: NAMED });
      const asked = [
        ["history", {}],
        ["history", { path: "notes.txt" }],
        ["restore", {}],
        ["undo", { dry_run: true }],
        ["undo", {}],
      ] as const;
      const answer = [];
      for (const [tool, input] of asked) answer.push(await call(tool, input));
      return answer;
    },
  },
  {
    name: "a path that does not exist, and names that are alike",
    act: ({ call }) =>
      call("read", { path: NAMED.replace("backup", "bakup") }).then(({ data, text }) =>
        JSON.stringify({ data, text }).replaceAll(NAMED.replace("backup", "bakup"), ""),
      ),
  },
])("no value leaves by $name", async ({ act, isQuiet }) => {
  const { close, ...here } = await scene();
  const answer = await act(here);
  close();
  const all = JSON.stringify([answer, here.said, auditOf(here.root)]);
  expect(PIECES.filter((piece) => all.includes(piece))).toEqual([]);
  expect(isQuiet === true || all.includes("secret:")).toBe(true);
});
