import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { createState } from "../../../src/storage/local/state/state.ts";
import { callerOn, scratch, stateBeside } from "../../runtime/scratch.ts";

/** Returns the state directory of a scratch workspace. */
const stateOf = (root: string): string => createState(stateBeside(root)).directory;

/** Returns the first line of a journal of a workspace. */
function headerOf(root: string): string {
  const { dev, ino } = statSync(root);
  return `${JSON.stringify({ roots: [{ path: root, dev: String(dev), ino: String(ino) }] })}\n`;
}

/** Makes a workspace with history and trash, and adds one more file, or directory (null), to its state. */
async function damaged(name: string, text: string | null) {
  const root = scratch({ f: "text", gone: "text" });
  const call = callerOn(root);
  await call("write", { path: "f", content: "new" });
  await call("delete", { path: "gone" });
  const path = join(stateOf(root), name);
  mkdirSync(text === null ? path : dirname(path), { recursive: true });
  if (text !== null) writeFileSync(path, text);
  return { root, call };
}

const TEXTS = [
  "",
  "garbage",
  "garbage\n",
  "null\n",
  "{}\n",
  "5\n",
  "[]\n",
  '{"record":{}}\n',
  '{"record":null}\n',
  null,
];
const PENDING = [
  '{"tag":"x","staged":5}\n',
  '{"tag":"x","staged":[5,null]}\n',
  '{"tag":"x","steps":[{},null]}\n',
  '{"tag":"x","steps":[{"do":"move"}]}\n',
  `${JSON.stringify({ tag: "x", record: { id: "../../x" }, litter: [1] })}\n`,
  '{"left":"many"}\n',
];

it.each([
  ...["changes/zzz", "changes/z.z", "trash/zzz", "trash/z-0", "pending/x", "pending/x.y"].flatMap((name) =>
    TEXTS.map((text) => ({ name, text })),
  ),
  ...PENDING.map((text) => ({ name: "pending/x.y", text })),
  { name: "trash/z-0", text: "null" },
  { name: "trash/z-0", text: '{"id":"z-0","object":"state/objects/z-0"}' },
  { name: "changes/zzz", text: '{"record":{"id":"zzz","timeMs":1e300,"effects":[]}}\n' },
])("works on with $name holding $text", async ({ name, text }) => {
  const { call, root } = await damaged(name, text);
  expect((await callerOn(root)("read", { path: "f" })).code).toBe("ok");
  const after = [
    await call("write", { path: "g", content: "g" }),
    await call("restore", { path: "gone" }),
    await call("history"),
    await call("undo"),
  ];
  expect(after.map(({ code }) => code)).toEqual(["ok", "ok", "ok", "ok"]);
  expect(after[2]?.data["changes"]).toHaveLength(4);
});

/** A record as older versions wrote it: nothing optional is in it. */
const RECORD = { id: "zzz", timeMs: 1, session: "s", principal: "agent", tool: "write", effects: [] };

it.each([
  { what: "a record without optional keys", record: RECORD, isListed: true },
  { what: "a key of a newer version", record: { ...RECORD, weather: "fine" }, isListed: true },
  { what: "an undo of one path", record: { ...RECORD, undoes: ["a"], undoneAt: "/f" }, isListed: true },
  { what: "an undo of no path", record: { ...RECORD, undoes: ["a"], undoneAt: 5 }, isListed: false },
  { what: "an undo of a relative path", record: { ...RECORD, undoes: ["a"], undoneAt: "f" }, isListed: false },
  { what: "another principal", record: { ...RECORD, principal: "root" }, isListed: false },
  { what: "a time beyond the calendar", record: { ...RECORD, timeMs: 1e300 }, isListed: false },
])("lists a record or leaves it out as damaged: $what", async ({ record, isListed }) => {
  const { call, root } = await damaged("changes/other", "");
  const stored = `${headerOf(root)}${JSON.stringify({ tag: "x", record, litter: [] })}\n`;
  writeFileSync(join(stateOf(root), "changes/zzz-zzz"), stored);
  const { data } = await call("history", {});
  const ids = (data["changes"] as readonly { readonly change_id: string }[]).map((each) => each.change_id);
  expect(ids.includes("zzz")).toBe(isListed);
});

it("refuses an id that is a path to another file", async () => {
  const { call } = await damaged("trash/z-0", "{}");
  expect(await call("restore", { trash_id: "../trash/z-0" })).toMatchObject({ code: "not_found" });
});

it.each([
  ["staged", (root: string) => ({ tag: "x", staged: [`${root}/f`, `${root}/dir`] })],
  ["of another tag", (root: string) => ({ tag: "x", staged: [`${root}/.holdfast-y-0`, `${root}/.holdfast-x-0z`] })],
  ["below one of ours", (root: string) => ({ tag: "x", staged: [`${root}/.holdfast-x-0/f`] })],
  ["without a tag", (root: string) => ({ staged: [`${root}/.holdfast-x-0`] })],
  [
    "kept",
    (root: string) => ({ tag: "x", steps: [{ do: "keep", path: `${root}/g`, object: `${root}/f`, stamp: "" }] }),
  ],
])("recovery erases nothing that no change of ours made: %s", async (_, line) => {
  const tree = { f: "f", "dir/f": "f", ".holdfast-y-0": "y", ".holdfast-x-0z": "z", ".holdfast-x-0/f": "f" };
  const root = scratch(tree);
  const call = callerOn(root);
  await call("mkdir", { path: "m" });
  writeFileSync(join(stateOf(root), "pending", "x.y"), `${headerOf(root)}${JSON.stringify(line(root))}\n`);
  expect(await callerOn(root)("mkdir", { path: "n" })).toMatchObject({ isError: false });
  expect(Object.keys(tree).map((name) => readFileSync(join(root, name), "utf8"))).toEqual(Object.values(tree));
});

it("recovery erases the places of its own change set", async () => {
  const names = [".holdfast-x1-0", ".holdfast-x1-1-old", ".holdfast-x1-2-aside"];
  const root = scratch(Object.fromEntries(names.map((name) => [`${name}/f`, "f"])));
  const call = callerOn(root);
  await call("mkdir", { path: "m" });
  const line = JSON.stringify({ tag: "x1", staged: names.map((name) => join(root, name)) });
  writeFileSync(join(stateOf(root), "pending", "x1.y"), `${headerOf(root)}${line}\n`);
  await callerOn(root)("mkdir", { path: "n" });
  expect(names.filter((name) => existsSync(join(root, name)))).toEqual([]);
});
