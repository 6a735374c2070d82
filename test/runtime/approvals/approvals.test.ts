import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ChannelName } from "../../../src/base/verdicts.ts";
import type { ApprovalAnswer, ApprovalChannel } from "../../../src/runtime/approvals/approval.ts";
import { ASK, late, orphaned, person, sessionOn, tamper, TREE, workroom } from "./approving.ts";
import { type Caller, scratch } from "../scratch.ts";

const DELETE = { path: "a.txt" };

/** Every way in which an answer arrives: at once, or after the call has said that it is pending. */
type Way = "sdk" | "client" | "cli, before the call is repeated" | "client, before the call is repeated";

const WAYS: readonly Way[] = [
  "sdk",
  "client",
  "cli, before the call is repeated",
  "client, before the call is repeated",
];
const ANSWERS: readonly ApprovalAnswer[] = [
  { decision: "once" },
  { decision: "session" },
  { decision: "always" },
  { decision: "deny", reason: "keep it" },
];

/** A session whose person gives this answer in this way; makes the call until it is settled. */
function answering(way: Way, answer: ApprovalAnswer) {
  const sdk = person("sdk", answer);
  const client = person("client", answer);
  const room = workroom({ options: way === "sdk" ? { approver: sdk.channel.ask } : {} });
  const by = (way.split(",")[0] as ChannelName | undefined) ?? "cli";
  const settled: Caller = async (tool, input) => {
    const result = await room.caller(tool, input, way === "client" ? { channel: client.channel } : {});
    if (result.code !== "pending") return result;
    for (const { id } of room.store.list()) await room.store.answer(id, answer, by);
    return room.caller(tool, input);
  };
  return { ...room, settled };
}

const CASES = WAYS.flatMap((way) => ANSWERS.map((answer) => ({ way, answer, says: answer.decision })));

describe.each(CASES)("$says, by $way", ({ way, answer, says }) => {
  const isYes = says !== "deny";

  it(isYes ? "is done, once" : "is not done, and the model learns why", async () => {
    const { root, settled, store } = answering(way, answer);
    const result = await settled("delete", DELETE);
    expect([result.code, existsSync(join(root, "a.txt"))]).toEqual(isYes ? ["ok", false] : ["denied", true]);
    expect(result.text.split("\n")[0]).toBe(
      isYes ? "Moved to the trash: a.txt" : "Cannot run delete: it is asked; the user said no: keep it",
    );
    expect(store.list()).toEqual([]);
  });

  it("holds as long as was said", async () => {
    const { root, settled, caller } = answering(way, answer);
    await settled("delete", DELETE);
    writeFileSync(join(root, "a.txt"), "again");
    const result = await caller("delete", DELETE);
    const isFree = says === "session" || says === "always";
    expect(result.code).toBe(isFree ? "ok" : way === "sdk" ? (isYes ? "ok" : "denied") : "pending");
    writeFileSync(join(root, "a.txt"), "and again");
    const other = sessionOn(root);
    const elsewhere = await other.caller("delete", DELETE);
    expect(elsewhere.code).toBe(says === "always" ? "ok" : "pending");
  });

  it("does not reach beyond what was asked", async () => {
    const { settled, caller } = answering(way, answer);
    await settled("delete", DELETE);
    const { code } = await caller("delete", { path: "keep.txt" });
    expect(code).toBe(way === "sdk" ? (isYes ? "ok" : "denied") : "pending");
  });
});

/** A question that nobody has answered yet. */
const unanswered = async () => {
  const room = workroom();
  const result = await room.caller("delete", DELETE);
  const [request] = room.store.list();
  return { ...room, result, id: String(request?.id) };
};

/** These events happen to a question after, or just before, it is approved and before the call is repeated. */
describe.each(["once", "session", "always"] as const)("a late yes for %s", (decision) => {
  it("resumes by the session tool", async () => {
    const { root, caller, store, id, result } = await unanswered();
    expect(result.data["error"]).toMatchObject({ code: "pending", approval_id: id });
    await store.answer(id, { decision }, "cli");
    const resumed = await caller("session", { approval: id });
    expect([resumed.code, existsSync(join(root, "a.txt"))]).toEqual(["ok", false]);
    expect(resumed.data).toMatchObject({ resumed: { path: "a.txt", change_id: expect.any(String) } });
    const again = await caller("session", { approval: id });
    const hint = "Make the call itself again: it asks anew where it has to";
    expect(again.data["error"]).toMatchObject({ code: "not_found", hint });
  });

  it("is asked again when the world has changed", async () => {
    const { root, caller, store, id } = await unanswered();
    writeFileSync(join(root, "a.txt"), "something else");
    await store.answer(id, { decision }, "cli");
    const result = await caller("delete", DELETE);
    expect(result.code).toBe("pending");
    expect(result.data["error"]).not.toMatchObject({ approval_id: id });
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("something else");
  });

  it("comes too late after a day, which is not a no", async () => {
    const { root, app, caller, store, id } = await unanswered();
    tamper(app.stateDirectory, late);
    await expect(store.answer(id, { decision }, "cli")).rejects.toThrow(/^Cannot answer .*: it expired at /);
    expect((await caller("session", { approval: id })).code).toBe("expired");
    expect((await caller("delete", DELETE)).code).toBe("pending");
    expect(existsSync(join(root, "a.txt"))).toBe(true);
  });

  it("is not kept for later than a day", async () => {
    const { app, caller, store, id } = await unanswered();
    await store.answer(id, { decision }, "cli");
    tamper(app.stateDirectory, late);
    expect((await caller("delete", DELETE)).code).toBe("pending");
  });

  it("survives a restart, and serves no other session while the first one lives", async () => {
    const { root, app, store, id } = await unanswered();
    await store.answer(id, { decision }, "cli");
    const other = sessionOn(root);
    expect((await other.caller("delete", DELETE)).code).toBe("pending");
    expect((await other.caller("session", { approval: id })).code).toBe("not_found");
    tamper(app.stateDirectory, orphaned);
    expect((await sessionOn(root).caller("delete", DELETE)).code).toBe("ok");
  });

  it.each([
    { name: "another effect", forge: (request: object) => ({ ...request, effect: { summary: "", parts: [] } }) },
    { name: "another tool", forge: (request: object) => ({ ...request, tool: "move" }) },
    { name: "another digest", forge: (request: object) => ({ ...request, digest: "0".repeat(64) }) },
    { name: "no question at all", forge: () => null },
    { name: "no expiry", forge: (request: object) => ({ ...request, expiresMs: null }) },
    { name: "reasons that are no list", forge: (request: object) => ({ ...request, reasons: "because" }) },
    {
      name: "an answer that nobody can give",
      forge: (request: object) => ({ ...request, answer: { decision: "perhaps", by: "cli", atMs: Date.now() } }),
    },
  ])("does not count for a question that was forged: $name", async ({ forge }) => {
    const { root, app, caller, store, id } = await unanswered();
    await store.answer(id, { decision }, "cli");
    tamper(app.stateDirectory, forge);
    expect((await caller("delete", DELETE)).code).toBe("pending");
    expect(existsSync(join(root, "a.txt"))).toBe(true);
  });

  it("cannot be replayed", async () => {
    const { root, app, caller, store, id } = await unanswered();
    await store.answer(id, { decision: "once" }, "cli");
    await caller("delete", DELETE);
    writeFileSync(join(root, "a.txt"), "one\ntwo\n");
    expect((await caller("delete", DELETE)).code).toBe("pending");
    expect(existsSync(join(app.stateDirectory, "approvals", id))).toBe(false);
  });

  it("is given once, by whoever is first", async () => {
    const { store, id } = await unanswered();
    const both = [store.answer(id, { decision }, "cli"), store.answer(id, { decision: "deny" }, "client")];
    const results = await Promise.allSettled(both);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(store.read(id)?.answer?.decision).toBe(decision);
  });
});

/** Returns the effect that the approver is shown, without the path of the root. */
const effectOf = async (tool: string, input: unknown) => {
  const { root, caller, store } = workroom({ rules: [{ act: ["write", "delete", "move"], decide: "approval" }] });
  await caller(tool, input);
  const [request] = store.list();
  return JSON.parse(JSON.stringify(request?.effect ?? null).replaceAll(`${root}/`, "")) as unknown;
};

describe("what is shown", () => {
  it.each([
    {
      name: "an edit, with its diff",
      tool: "edit",
      input: { path: "a.txt", oldText: "two", newText: "three" },
      part: {
        action: "write",
        path: "a.txt",
        bytes: 10,
        diff: "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n",
      },
      recoverable: true,
    },
    {
      name: "a new file",
      tool: "write",
      input: { path: "new.txt", content: "n\n" },
      part: {
        action: "write",
        path: "new.txt",
        found: null,
        bytes: 2,
        diff: "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+n\n",
      },
      recoverable: true,
    },
    {
      name: "a directory that goes, with all in it",
      tool: "delete",
      input: { path: "d", recursive: true },
      part: {
        action: "remove",
        path: "d",
        files: 2,
        bytes: 3,
        entries: ["e/", "e/y.txt", "x.txt"],
        tree: expect.any(String),
      },
      recoverable: true,
    },
    {
      name: "a file that goes for good",
      tool: "delete",
      input: { path: "a.txt", permanent: true },
      part: { action: "erase", path: "a.txt", files: 1, bytes: 8 },
      recoverable: false,
    },
    {
      name: "a move",
      tool: "move",
      input: { source: "a.txt", destination: "b.txt" },
      part: { action: "move", path: "a.txt", to: "b.txt" },
      recoverable: true,
    },
  ])("$name", async ({ tool, input, part, recoverable }) => {
    expect(await effectOf(tool, input)).toMatchObject({ parts: [part], recoverable });
  });

  it("something new deep in a directory that is to go is a new question", async () => {
    const { root, caller, store } = workroom();
    await caller("delete", { path: "d", recursive: true });
    const [first] = store.list();
    await store.answer(String(first?.id), { decision: "once" }, "cli");
    writeFileSync(join(root, "d/e/new.txt"), "new");
    expect((await caller("delete", { path: "d", recursive: true })).code).toBe("pending");
    expect(existsSync(join(root, "d/e/new.txt"))).toBe(true);
  });

  it("a question is closed to other users", async () => {
    const { app, caller, store } = workroom();
    await caller("delete", DELETE);
    const file = join(app.stateDirectory, "approvals", String(store.list()[0]?.id));
    expect(statSync(file).mode & 0o077).toBe(0);
  });
});

const only = (...channels: ChannelName[]) => ASK.map((rule) => ({ ...rule, channels }));

describe("who may answer", () => {
  it.each<{ channels: ChannelName[]; there: ChannelName | undefined; code: string; asks: number }>([
    { channels: ["cli"], there: "client", code: "pending", asks: 0 },
    { channels: ["cli", "console"], there: undefined, code: "pending", asks: 0 },
    { channels: ["client"], there: "client", code: "ok", asks: 1 },
    { channels: ["client"], there: undefined, code: "denied", asks: 0 },
    { channels: ["terminal"], there: "client", code: "denied", asks: 0 },
  ])("the rules say $channels, and there is $there: $code", async ({ channels, there, code, asks }) => {
    const options = code === "pending" ? { approvalWaitMs: 0 } : {};
    const { caller } = workroom({ rules: only(...channels), options });
    const { asked, channel } = person(there ?? "sdk", { decision: "once" });
    const result = await caller("delete", DELETE, { channel: there && channel });
    expect([result.code, asked.length]).toEqual([code, asks]);
  });

  it("an answer from where the rules do not want it is refused", async () => {
    const { caller, store } = workroom({ rules: only("console"), options: { approvalWaitMs: 0 } });
    await caller("delete", DELETE);
    const id = String(store.list()[0]?.id);
    await expect(store.answer(id, { decision: "once" }, "cli")).rejects.toThrow("the rules leave it to console");
  });

  it("no yes opens what is blocked, however long it holds", async () => {
    const root = scratch(TREE);
    const first = sessionOn(root, { options: { approver: async () => ({ decision: "always" }) } });
    expect((await first.caller("delete", DELETE)).code).toBe("ok");
    writeFileSync(join(root, "a.txt"), "again");
    const strict = sessionOn(root, { rules: [...ASK, { act: "delete", path: "a.txt", decide: "blocked" }] });
    expect((await strict.caller("delete", DELETE)).code).toBe("denied");
  });
});

it("whoever fails to ask has not answered, and that is told", async () => {
  const warnings: string[] = [];
  const { caller } = workroom({
    options: {
      approver: () => Promise.reject(new Error("no window")),
      warn: (message) => warnings.push(message),
    },
  });
  expect((await caller("delete", DELETE)).code).toBe("pending");
  expect(warnings).toEqual(["Cannot ask for approval by sdk: Error: no window"]);
});

describe("waiting", () => {
  it("goes on as soon as somebody says yes elsewhere, and takes the question back from the others", async () => {
    const { root, caller, store } = workroom();
    let withdrawn = false;
    const channel = {
      name: "client" as const,
      ask: (request: { readonly id: string }, signal: AbortSignal) => {
        void store.answer(request.id, { decision: "once" }, "cli");
        return new Promise<undefined>(() => signal.addEventListener("abort", () => (withdrawn = true)));
      },
    };
    expect((await caller("delete", DELETE, { channel })).code).toBe("ok");
    expect([existsSync(join(root, "a.txt")), withdrawn]).toEqual([false, true]);
  });

  it("a yes to what was there before is no yes to what came meanwhile", async () => {
    const { root, caller } = workroom();
    const shown: unknown[] = [];
    const channel: ApprovalChannel = {
      name: "client",
      ask: async ({ effect }) => {
        shown.push(effect.parts[0]?.bytes);
        if (shown.length === 1) writeFileSync(join(root, "a.txt"), "meanwhile");
        return { decision: shown.length === 1 ? "once" : "deny" };
      },
    };
    expect((await caller("delete", DELETE, { channel })).code).toBe("denied");
    expect(shown).toEqual([8, 9]);
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("meanwhile");
  });

  it("ends when the call is cancelled, and nothing is done", async () => {
    const signal = { aborted: false };
    const asked = () => void (signal.aborted = true);
    const { root, caller } = workroom({ options: { onApprovalRequest: asked } });
    expect((await caller("delete", DELETE, { signal, channel: undefined })).code).toBe("cancelled");
    expect(existsSync(join(root, "a.txt"))).toBe(true);
  });

  it("two calls for the same thing share a question, and one yes is for one of them", async () => {
    const { caller, store } = workroom();
    const [one, two] = await Promise.all([caller("delete", DELETE), caller("delete", DELETE)]);
    expect([one.code, two.code, store.list().length]).toEqual(["pending", "pending", 1]);
    for (const { id } of store.list()) await store.answer(id, { decision: "once" }, "cli");
    expect((await caller("delete", DELETE)).code).toBe("ok");
  });

  it("a call that needs two answers keeps the first while it waits for the second", async () => {
    const rules = [{ act: ["read", "write"], path: "a.txt", decide: "approval" }] as const;
    const { root, caller, store } = workroom({ rules: rules.map(({ act, ...rule }) => ({ ...rule, act: [...act] })) });
    const edit = () => caller("edit", { path: "a.txt", oldText: "two", newText: "three" });
    const codes: string[] = [];
    for (let round = 0; round < 3; round++) {
      codes.push((await edit()).code);
      for (const { id, answer } of store.list()) if (!answer) await store.answer(id, { decision: "once" }, "cli");
    }
    expect(codes).toEqual(["pending", "pending", "ok"]);
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\nthree\n");
  });

  it("nobody is asked a hundred things at a time", async () => {
    const { caller } = workroom();
    const codeOf = async (nth: number) => (await caller("write", { path: `new-${nth}.txt`, content: "" })).code;
    const codes = await Promise.all(Array.from({ length: 101 }, (_, nth) => codeOf(nth)));
    expect(codes.filter((code) => code === "denied")).toEqual(["denied"]);
  });
});

it("an undo of files that lie elsewhere until then is asked for, shown and done", async () => {
  const somebody = person("sdk", { decision: "once" });
  const { root, app, caller } = workroom({ options: { approver: somebody.channel.ask } });
  await caller("edit", { path: "d/x.txt", oldText: "x", newText: "new" });
  await caller("move", { source: "d", destination: "moved" });
  const result = await caller("undo", { session: app.session.facts.id });
  expect([result.code, existsSync(join(root, "moved"))]).toEqual(["ok", false]);
  expect(readFileSync(join(root, "d/x.txt"), "utf8")).toBe("x");
  const actions = somebody.asked.at(-1)?.effect.parts.map(({ action, path }) => `${action} ${path.slice(root.length)}`);
  expect(actions).toEqual(["move /moved", "write /d/x.txt"]);
});
