import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { Options } from "../../../src/app/options.ts";
import { checkedPlugins } from "../../../src/plugins/check-plugins.ts";
import { grantsFor, createGrants } from "../../../src/runtime/approvals/grants.ts";
import { createApprovalStore } from "../../../src/runtime/approvals/store.ts";
import { createState } from "../../../src/storage/local/state/state.ts";
import { answer, defineTool, outward, OUTWARD } from "../../../src/tools/tool.ts";
import { rulesOf } from "../rules/ruling.ts";
import { appOn, scratch, stateBeside } from "../scratch.ts";
import { orphaned, person, sessionOn, tamper } from "./approving.ts";

const post = defineTool({
  name: "post",
  title: "Post",
  description: "Send a text.",
  annotations: OUTWARD,
  input: z.strictObject({}),
  output: z.object({}),
  plan: async () => outward({ acts: ["network"], target: "somewhere", sends: "", run: async () => answer("sent", {}) }),
});

/** The same tool, in a plugin. */
const from = (id: string): Partial<Options> => ({
  plugins: checkedPlugins([{ from: "test", plugin: { id, tools: [post] } }], expect.fail),
});

/** Two workspaces in one directory, and the state of both beside them. */
function workspaces() {
  const parent = scratch({ "a/x.txt": "x", "a/in/x.txt": "x", "b/x.txt": "x" });
  const [a, inner, b] = ["a", "a/in", "b"].map((name) => join(parent, name)) as [string, string, string];
  return { parent, a, inner, b, stateDirectory: stateBeside(parent) };
}

type Place = "parent" | "a" | "inner" | "b";

/** An "always" for a tool is given in `a` to one session, and another session uses that tool. */
const USERS: readonly { name: string; given?: Partial<Options>; uses: Place[]; by?: Partial<Options>; code: string }[] =
  [
    { name: "the same workspace", uses: ["a"], code: "ok" },
    { name: "a directory in it", uses: ["inner"], code: "ok" },
    { name: "another workspace", uses: ["b"], code: "pending" },
    { name: "wider roots", uses: ["parent"], code: "pending" },
    { name: "more roots", uses: ["a", "b"], code: "pending" },
    { name: "another agent", uses: ["a"], by: { agentContext: { agent: "bob" } }, code: "pending" },
    { name: "the agent it was given", given: { agentContext: { agent: "bob" } }, uses: ["a"], code: "pending" },
    { name: "the same plugin", given: from("mail"), uses: ["a"], by: from("mail"), code: "ok" },
    { name: "another plugin", given: from("mail"), uses: ["a"], by: from("chat"), code: "pending" },
    { name: "a tool of the program", given: from("mail"), uses: ["a"], code: "pending" },
  ];

it.each(USERS)("an always for a tool in one workspace, used by $name: $code", async ({ given, uses, by, code }) => {
  const { stateDirectory, ...places } = workspaces();
  const optionsFor = (roots: readonly string[], more: Partial<Options> = { tools: [post] }): Partial<Options> => ({
    ...("plugins" in more ? {} : { tools: [post] }),
    ...more,
    roots,
    stateDirectory,
  });
  const { channel } = person("client", { decision: "always" });
  const first = sessionOn(places.a, { rules: [], options: optionsFor([places.a], given) });
  expect((await first.caller("post", {}, { channel })).code).toBe("ok");
  const roots = uses.map((place) => places[place]);
  const second = sessionOn(places.a, { rules: [], options: optionsFor(roots, by) });
  expect((await second.caller("post")).code).toBe(code);
});

describe("a grant for a tool", () => {
  const tool = { name: "post", plugin: "mail" };
  const [grant] = grantsFor([{ act: "network", place: "", tool, roots: ["/w/a", "/w/b"] }], "cli", ["/w/a", "/w/b"]);
  it.each([
    { roots: ["/w/a"], verdict: "notify" },
    { roots: ["/w/b/in", "/w/a"], verdict: "notify" },
    { roots: ["/w"], verdict: "approval" },
    { roots: ["/w/a", "/w/c"], verdict: "approval" },
    { roots: ["/w/ab"], verdict: "approval" },
    { roots: [], verdict: "approval" },
    { roots: undefined, verdict: "approval" },
  ])("in two directories is for sessions within both of them: $roots is $verdict", ({ roots, verdict }) => {
    const { decide } = rulesOf({ grants: [{ ...grant }] });
    expect(decide({ act: "network", place: "", tool, roots }).verdict).toBe(verdict);
    expect(decide({ act: "network", place: "", tool: { name: "post" }, roots }).verdict).toBe("approval");
    expect(decide({ act: "network", place: "" }).verdict).toBe("approval");
  });
});

it("a narrowed session gives grants for its own directories, and keeps them", async () => {
  const { a, inner, stateDirectory } = workspaces();
  const options = { tools: [post], stateDirectory };
  const app = appOn(a, { ...options, approver: async () => ({ decision: "always" }) });
  await app.narrowed([inner])?.surface.call({ tool: "post", input: {}, signal: new AbortController().signal });
  expect(app.grants.listStored()).toMatchObject([{ tool: "post", roots: [inner], agent: "main" }]);
  const silent = sessionOn(a, { rules: [], options });
  expect((await silent.caller("post")).code).toBe("pending");
  const reply = await silent.app
    .narrowed([inner])
    ?.surface.call({ tool: "post", input: {}, signal: { aborted: false } });
  expect(reply?.isError).toBe(false);
});

it.each([
  { name: "of an older version", entry: { agent: undefined, roots: undefined } },
  { name: "without an agent", entry: { agent: undefined } },
  { name: "without roots", entry: { roots: undefined } },
])("a stored grant $name grants nothing", async ({ entry }) => {
  const root = scratch({ "a.txt": "a" });
  const state = createState(stateBeside(root));
  const grant = { id: "1", act: "delete", path: ["/**"], agent: "main", roots: ["/"], origin: "approval" };
  const write = (more: object) =>
    state.write("grants.json", JSON.stringify([{ ...grant, expiresMs: Date.now() + 60_000, ...more }]));
  write({});
  expect(createGrants(state, "main").current()).toHaveLength(1);
  write(entry);
  expect([createGrants(state, "main").current(), createGrants(state, "main").listStored()]).toEqual([[], []]);
});

describe("the answer to a question of a process that has ended", () => {
  const effect = { summary: "delete it", parts: [], recoverable: true };
  const asked = { tool: "delete", input: {}, effect, reasons: [] };
  const asker = { session: "one", agent: "main", roots: ["/a", "/b"] };
  it.each([
    { name: "another session", user: { ...asker, session: "two" }, isUsable: true },
    {
      name: "one with the roots in another order",
      user: { ...asker, session: "two", roots: ["/b", "/a"] },
      isUsable: true,
    },
    { name: "another agent", user: { ...asker, session: "two", agent: "bob" }, isUsable: false },
    { name: "another workspace", user: { ...asker, session: "two", roots: ["/c", "/d"] }, isUsable: false },
    { name: "fewer roots", user: { ...asker, session: "two", roots: ["/a"] }, isUsable: false },
    { name: "more roots", user: { ...asker, session: "two", roots: ["/a", "/b", "/c"] }, isUsable: false },
  ])("may be used by $name: $isUsable", async ({ user, isUsable }) => {
    const state = createState(scratch());
    const store = createApprovalStore(state);
    const { id, digest } = await store.add({ ...asked, ...asker });
    expect([store.find(digest, asker)?.id, store.find(digest, user)]).toEqual([id, undefined]);
    tamper(state.directory, orphaned);
    expect([store.find(digest, asker)?.id, store.find(digest, user)?.id === id]).toEqual([id, isUsable]);
    expect(store.list().map((request) => store.mayUse(request, user))).toEqual([isUsable]);
  });

  it("of an older version may be used by its own session only", async () => {
    const state = createState(scratch());
    const store = createApprovalStore(state);
    const { digest } = await store.add({ ...asked, ...asker });
    tamper(state.directory, (request) => ({ ...(orphaned(request) as object), agent: undefined, roots: undefined }));
    expect(store.find(digest, asker)).toBeDefined();
    expect(store.find(digest, { ...asker, session: "two" })).toBeUndefined();
  });

  it("is not consumed by a session of another workspace in which the same is asked", async () => {
    const { a, parent, stateDirectory } = workspaces();
    const input = { path: join(a, "x.txt") };
    const first = sessionOn(a, { options: { stateDirectory } });
    await first.caller("delete", input);
    const [{ id } = { id: "" }] = first.store.list();
    await first.store.answer(id, { decision: "once" }, "cli");
    tamper(first.app.stateDirectory, orphaned);
    expect((await sessionOn(parent, { options: { stateDirectory } }).caller("delete", input)).code).toBe("pending");
    expect((await sessionOn(a, { options: { stateDirectory } }).caller("delete", input)).code).toBe("ok");
  });
});

it("a session that asks too much leaves room for the questions of others", async () => {
  const root = scratch({});
  const { caller } = sessionOn(root);
  const codeOf = async (nth: number) => (await caller("write", { path: `new-${nth}.txt`, content: "" })).code;
  const codes = await Promise.all(Array.from({ length: 101 }, (_, nth) => codeOf(nth)));
  expect(codes.filter((code) => code === "denied")).toEqual(["denied"]);
  expect((await sessionOn(root).caller("write", { path: "new.txt", content: "" })).code).toBe("pending");
});
