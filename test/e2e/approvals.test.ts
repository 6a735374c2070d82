import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { stateBeside } from "../runtime/scratch.ts";
import { WHILE_BUSY } from "../work.ts";
import { bareEnv, BIN, connect, ERAS, withElicitation } from "./bin.ts";
import { type Message, META, openGreeted, openWire, toolCall } from "./wire.ts";
import { CONFIG, workplace } from "./waiting-workplace.ts";
import { needs } from "../programs.ts";

const codeIn = ({ _meta: meta }: { _meta?: unknown }): string =>
  (meta as { readonly "holdfast/error"?: { readonly code: string } } | undefined)?.["holdfast/error"]?.code ?? "ok";

const DELETE = { name: "delete", arguments: { path: "a.txt" } };

describe.each(ERAS)("a client that shows forms, $era", ({ options }) => {
  it.each([
    { says: { action: "accept", content: { decision: "once" } }, code: "ok" },
    { says: { action: "accept", content: { decision: "deny", reason: "keep it" } }, code: "denied" },
    { says: { action: "decline" }, code: "denied" },
  ] as const)("$says: $code", async ({ says, code }) => {
    const { root, args, isThere } = workplace();
    const { client, messages } = await withElicitation(root, options, args, async () => says);
    const answer = await client.callTool(DELETE);
    expect([codeIn(answer), isThere()]).toEqual([code, code !== "ok"]);
    expect(messages).toEqual([
      `delete: deleting needs a yes\ndelete ${join(root, "a.txt")} (1 file, 8 bytes)\nUndo takes it back`,
    ]);
  });

  it("is asked again for the next thing, unless it was allowed for the session", async () => {
    const { root, args } = workplace();
    const { client, messages } = await withElicitation(root, options, args, async () => ({
      action: "accept",
      content: { decision: "session" },
    }));
    expect(codeIn(await client.callTool(DELETE))).toBe("ok");
    writeFileSync(join(root, "a.txt"), "again");
    expect(codeIn(await client.callTool(DELETE))).toBe("ok");
    expect(messages).toHaveLength(1);
    expect(codeIn(await client.callTool({ name: "delete", arguments: { path: "keep.txt" } }))).toBe("ok");
    expect(messages).toHaveLength(2);
  });
});

describe.each(ERAS)("a client that cannot show forms, $era", ({ options }) => {
  it("waits for the command line in another process", async () => {
    const { root, args, holdfast, waiting, isThere } = workplace();
    const client = await connect(root, options, undefined, args);
    const called = client.callTool(DELETE);
    const id = await waiting();
    expect(isThere()).toBe(true);
    expect(await holdfast("approvals", "approve", id)).toMatchObject({
      code: 0,
      out: `Allowed ${id}: delete; once: it happens now, or when its call is repeated\n`,
    });
    expect([codeIn(await called), isThere()]).toEqual(["ok", false]);
    expect(await holdfast("approvals", "approve", id)).toMatchObject({ code: 1, err: expect.stringContaining("used") });
  });
});

describe("the command line", () => {
  it("shows what waits, and tells the model why not", async () => {
    const { root, args, holdfast, waiting, isThere } = workplace();
    const wire = await openGreeted(root, { args });
    wire.say(toolCall(1, "delete", { path: "d", recursive: true }));
    const id = await waiting();
    const { out } = await holdfast("approvals", "show", id.slice(0, 6));
    expect(out).toMatch(/^approval \S+ +\S+ \S+ +[0-9a-f]{8} wire +pending/);
    expect(out).toContain(`\nIn ${root}\ndelete: `);
    expect(out).toContain(`delete ${join(root, "d")} (1 file, 1 byte)\n  - x.txt\nUndo takes it back\n`);
    expect((await holdfast("approvals")).out).toMatch(
      new RegExp(`${id} +pending .* delete +Would move to the trash: d `),
    );
    await holdfast("approvals", "deny", id, "it", "is", "needed");
    const { result } = (await wire.answer(1)) as { result: { content: { text: string }[] } };
    expect(result.content[0]?.text).toContain("the user said no: it is needed");
    expect(isThere()).toBe(true);
    expect((await holdfast("approvals")).out).toContain("No pending approvals");
  });

  it("answers after the call has ended, and the call is made again", async () => {
    const { root, args, holdfast, waiting, isThere } = workplace();
    const wire = await openGreeted(root, { args: [...args, "--approval-wait", "0"] });
    wire.say(toolCall(1, "delete", { path: "a.txt" }));
    await wire.answer(1);
    expect(wire.errors()).toMatch(/delete needs approval: .* approvals show [0-9a-f]+ --state \S+ shows it/);
    const id = await waiting();
    await holdfast("approvals", "approve", id);
    expect((await holdfast("approvals", "deny", id)).err).toMatch(
      /it was allowed by cli at \S+; the first answer counts$/m,
    );
    expect(isThere()).toBe(true);
    wire.say(toolCall(2, "delete", { path: "a.txt" }));
    await wire.answer(2);
    expect(isThere()).toBe(false);
  });

  it("takes back what is always allowed, also from a server that runs", async () => {
    const { root, args, holdfast, waiting, isThere } = workplace();
    const wire = await openGreeted(root, { args: [...args, "--approval-wait", "0"] });
    let id = 0;
    const deleted = async () => {
      writeFileSync(join(root, "a.txt"), `${++id}`);
      wire.say(toolCall(id, "delete", { path: "a.txt" }));
      await wire.answer(id);
      return !isThere();
    };
    expect(await deleted()).toBe(false);
    const asked = await waiting();
    expect((await holdfast("approvals", "approve", asked, "always")).out).toBe(
      `Allowed ${asked}: delete; always, once its call continues or is repeated\n`,
    );
    expect((await holdfast("approvals", "grants")).out).toBe(
      `No grants\n${asked}: delete will be granted once its call continues or is repeated\n`,
    );
    wire.say(toolCall("again", "delete", { path: "a.txt" }));
    await wire.answer("again");
    expect(await deleted()).toBe(true);
    const [line = ""] = (await holdfast("approvals", "grants")).out.split("\n").slice(1);
    expect(line).toMatch(new RegExp(`^[0-9a-f]{8}  .*  main +delete  ${join(root, "a.txt")} +${root}$`));
    expect((await holdfast("approvals", "revoke", line.slice(0, 8))).code).toBe(0);
    expect((await holdfast("approvals", "revoke", line.slice(0, 8))).code).toBe(1);
    await vi.waitFor(async () => expect(await deleted()).toBe(false), WHILE_BUSY);
  });

  it("lets a session go on that has stopped, once", async () => {
    const { root, args, holdfast } = workplace();
    const wire = await openGreeted(root, { args });
    const read = async (id: number) => {
      wire.say(toolCall(id, "read", { path: "a.txt" }));
      return JSON.stringify(await wire.answer(id));
    };
    for (let id = 0; id < 31; id++) await read(id);
    const [, session = ""] = /holdfast approvals reset ([0-9a-f]{8})/.exec(await read(31)) ?? [];
    expect((await holdfast("approvals")).out).toContain(
      `Session ${session} in ${root} was stopped because it kept repeating read`,
    );
    expect(await holdfast("approvals", "reset", session)).toMatchObject({
      code: 0,
      out: `Session ${session} may continue\n`,
    });
    expect(await read(32)).toContain("one");
    const again = await holdfast("approvals", "reset", session);
    expect([again.code, again.err]).toEqual([
      1,
      expect.stringMatching(/no such session was stopped; holdfast approvals lists those that were$/m),
    ]);
  });

  it("answers for a server that has ended since", async () => {
    const { root, args, holdfast, waiting, isThere } = workplace();
    const wire = await openGreeted(root, { args: [...args, "--approval-wait", "0"] });
    wire.say(toolCall(1, "delete", { path: "a.txt" }));
    await wire.answer(1);
    await wire.end();
    await holdfast("approvals", "approve", await waiting());
    expect(isThere()).toBe(true);
    const again = await openGreeted(root, { args });
    again.say(toolCall(1, "delete", { path: "a.txt" }));
    await again.answer(1);
    expect(isThere()).toBe(false);
  });

  it.each([
    { words: ["approve"], says: "the usage is holdfast approvals approve <id> [once|session|always]" },
    { words: ["approve", "x", "for-ever"], says: "example: holdfast approvals approve 68cf3c59292d" },
    { words: ["answer"], says: "give list, show, approve, deny, watch, grants, revoke or reset" },
  ])("$words: says what is wrong", async ({ words, says }) => {
    const { holdfast } = workplace();
    expect(await holdfast("approvals", ...words)).toMatchObject({ code: 2, err: expect.stringContaining(says) });
  });
});

describe("two approvers", () => {
  it("the first one counts, and the dialog of the other is taken back", async () => {
    const { root, args, holdfast, waiting, isThere } = workplace();
    let isTakenBack = false;
    const { client } = await withElicitation(
      root,
      {},
      args,
      (signal) =>
        new Promise((resolve) =>
          signal.addEventListener("abort", () => {
            isTakenBack = true;
            resolve({ action: "cancel" });
          }),
        ),
    );
    const called = client.callTool(DELETE);
    await holdfast("approvals", "deny", await waiting(), "no");
    expect([codeIn(await called), isThere()]).toEqual(["denied", true]);
    await vi.waitFor(() => expect(isTakenBack).toBe(true), WHILE_BUSY);
  });

  it("the rules can leave it to whoever the client cannot speak for", async () => {
    const { root, args, holdfast, waiting } = workplace(CONFIG.replace('"reason"', '"channels": ["cli"], "reason"'));
    const { client, messages } = await withElicitation(root, {}, args, async () => ({ action: "decline" }));
    const called = client.callTool(DELETE);
    await holdfast("approvals", "approve", await waiting());
    expect([codeIn(await called), messages]).toEqual(["ok", []]);
  });
});

/** Returns the kind of a response: its error code, its result type, or "done". */
const kindOf = ({ result, error }: { readonly result?: Message; readonly error?: { readonly code: number } }) =>
  error?.code ?? result?.["resultType"] ?? "done";

/** Since 2026 the client keeps the state and sends it back: it may be old, altered, or for another call. */
describe("the state of a question", () => {
  const FORMS = { ...META, "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } };
  const YES = { approval: { action: "accept", content: { decision: "once" } } };
  const asking = async () => {
    const place = workplace();
    const wire = openWire(place.root, { args: place.args });
    let id = 0;
    const call = async (more: object, path = "a.txt") => {
      wire.say(toolCall(++id, "delete", { path }, { _meta: FORMS, ...more }));
      return (await wire.answer(id)) as { readonly result?: Message; readonly error?: { readonly code: number } };
    };
    const { result } = await call({});
    return { ...place, call, state: String(result?.["requestState"]) };
  };
  it("opens the door once", async () => {
    const { root, call, state, isThere } = await asking();
    await call({ inputResponses: YES, requestState: state });
    expect(isThere()).toBe(false);
    writeFileSync(join(root, "a.txt"), "one\ntwo\n");
    expect(kindOf(await call({ inputResponses: YES, requestState: state }))).toBe("input_required");
    expect(isThere()).toBe(true);
  });

  it.each([
    { name: "missing", more: () => ({}), kind: "input_required" },
    { name: "forged", more: (state: string) => ({ requestState: `${state.slice(0, -4)}AAAA` }), kind: -32_602 },
    { name: "made up", more: () => ({ requestState: "approval" }), kind: -32_602 },
  ])("$name: nothing happens", async ({ more, kind }) => {
    const { call, state, isThere } = await asking();
    expect(kindOf(await call({ inputResponses: YES, ...more(state) }))).toBe(kind);
    expect(isThere()).toBe(true);
  });

  it("of another question: nothing happens", async () => {
    const { root, call, state } = await asking();
    expect(kindOf(await call({ inputResponses: YES, requestState: state }, "keep.txt"))).toBe("input_required");
    expect(existsSync(join(root, "keep.txt"))).toBe(true);
  });

  it("of a world that has changed: asked again", async () => {
    const { root, call, state, isThere } = await asking();
    writeFileSync(join(root, "a.txt"), "something else");
    expect(kindOf(await call({ inputResponses: YES, requestState: state }))).toBe("input_required");
    expect(isThere()).toBe(true);
  });
});

/** A client whose directories are asked for goes through the SDK, which has to ask both things. */
describe.each(ERAS.slice(-2))("a client with roots and forms, in a dialect, $era", ({ options }) => {
  it("is asked for its directories and for a yes", async () => {
    const { root, args } = workplace(CONFIG.replace('"delete"', '"write"'));
    const { client, messages } = await withElicitation(
      root,
      { ...options, capabilities: { roots: {} } },
      [...args, "--dialect", "mcp-filesystem"],
      async () => ({ action: "accept", content: { decision: "once" } }),
      (fresh) => fresh.setRequestHandler("roots/list", () => ({ roots: [{ uri: pathToFileURL(root).href }] })),
    );
    await client.callTool({ name: "write_file", arguments: { path: join(root, "new.txt"), content: "new\n" } });
    expect(messages).toEqual([expect.stringContaining("+new\nUndo takes it back")]);
    expect(readFileSync(join(root, "new.txt"), "utf8")).toBe("new\n");
  });
});

/** On a real terminal, which `script` makes. */
describe("a terminal", () => {
  it.each([
    { types: "o\n", isThere: false, says: "Moved to the trash: a.txt" },
    { types: "what\nn it stays\n", isThere: true, says: "the user said no: it stays" },
  ])("$types", async ({ types, isThere, says }) => {
    needs("script");
    const place = workplace();
    const words = [process.execPath, BIN, "call", "delete", `'{"path":"a.txt"}'`, ...place.args];
    const env = bareEnv({ HOLDFAST_STATE: stateBeside(place.root) });
    const child = spawn("script", ["-qec", words.join(" "), "/dev/null"], { cwd: place.root, env });
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
      if (out.endsWith("[n]o: ")) child.stdin.write(`${types.split("\n")[out.split("[n]o: ").length - 2]}\n`);
    });
    await once(child, "close");
    expect(out).toContain(says);
    expect(out).toContain(`delete ${join(place.root, "a.txt")} (1 file, 8 bytes)`);
    expect(place.isThere()).toBe(isThere);
  });
});
