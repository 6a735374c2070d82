import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import type { ApprovalRequest } from "../../src/runtime/approvals/approval.ts";
import { createSocketChannel } from "../../src/runtime/approvals/socket-channel.ts";
import { identifyPrivateSocket } from "../../src/storage/local/private-socket.ts";
import { ASK, sessionOn, TREE, type Workroom } from "../runtime/approvals/approving.ts";
import { appOn, callerOn, scratch, stateBeside } from "../runtime/scratch.ts";
import { needs } from "../programs.ts";

interface Asked {
  readonly type: string;
  readonly token?: string;
  readonly id: string;
  readonly request: Readonly<Record<string, unknown>>;
}

/** A word that a program answers with, or what it does with the connection instead. */
type Reply = string | ((asked: Asked, connection: Socket) => void);

/** A program of the user that listens on a socket and answers each question in the same way. */
async function program(path: string, reply: Reply) {
  const asked: Asked[] = [];
  const server = createServer((connection) => {
    connection.on("error", () => {});
    const lines = createInterface({ input: connection });
    lines.on("error", () => {});
    lines.on("line", (line) => {
      const question = JSON.parse(line) as Asked;
      asked.push(question);
      if (typeof reply === "string") connection.write(decision(reply));
      else reply(question, connection);
    });
  });
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  server.listen(path);
  await once(server, "listening");
  chmodSync(path, 0o600);
  onTestFinished(() => void server.close());
  return asked;
}

const decision = (word: string, more: object = {}): string =>
  `${JSON.stringify({ type: "decision", decision: word, ...more })}\n`;

/** A workspace whose questions go to such a program. The caller's own client has nobody to ask. */
async function room(reply: Reply, { options = {} }: Workroom = {}) {
  const root = scratch({ ...TREE, "ev\u202eil.txt": "x" });
  const path = join(dirname(root), "ui", "approvals.sock");
  const warnings: string[] = [];
  const asked = await program(path, reply);
  const session = sessionOn(root, {
    rules: ASK,
    options: {
      approvalSocket: { path, token: "who-asks" },
      approvalWaitMs: 5000,
      warn: (message) => void warnings.push(message),
      ...options,
    },
  });
  const call = (input: object = { path: "a.txt" }) => session.caller("delete", input, { channel: undefined });
  return { root, path, asked, warnings, call, ...session };
}

describe("a program on the socket", () => {
  it.each([
    { word: "allow-once", code: "ok", again: "pending" },
    { word: "allow-always", code: "ok", again: "ok" },
    { word: "deny", code: "denied", again: "pending" },
  ])("answers $word", async ({ word, code, again }) => {
    let isOpen = true;
    const { root, call } = await room((_, connection) => void (isOpen && connection.write(decision(word))), {
      options: { approvalWaitMs: 300 },
    });
    expect((await call()).code).toBe(code);
    isOpen = false;
    writeFileSync(join(root, "a.txt"), "again");
    expect((await call()).code).toBe(again);
  });

  it("is shown exactly what would happen, escaped, with the token", async () => {
    const { asked, call, store } = await room("allow-once");
    await call({ path: "ev\u202eil.txt" });
    expect(asked).toEqual([
      {
        type: "request",
        token: "who-asks",
        id: expect.any(String),
        request: {
          command: expect.any(String),
          agentId: "main",
          sessionKey: expect.any(String),
          tool: "delete",
          text: expect.stringMatching(/^delete: it is asked\ndelete ".*ev\\u\{202e\}il\.txt"/),
          digest: expect.stringMatching(/^[\da-f]{64}$/),
          expiresAtMs: expect.any(Number),
        },
      },
    ]);
    expect(JSON.stringify(asked)).not.toContain("\u202e");
    expect(store.list()).toEqual([]);
  });

  it("that says nothing leaves the question to other people", async () => {
    const { call, store, asked, root } = await room(() => {}, { options: { approvalWaitMs: 200 } });
    expect((await call()).code).toBe("pending");
    expect((await call()).code).toBe("pending");
    // Made again while the first is open, the call waits for the same answer.
    expect(asked).toHaveLength(1);
    await store.answer(asked[0]?.id ?? "", { decision: "once" }, "cli");
    expect([(await call()).code, existsSync(join(root, "a.txt"))]).toEqual(["ok", false]);
  });

  it("may answer after the call has ended", async () => {
    let late: Socket | undefined;
    const { call } = await room((_, connection) => void (late = connection), { options: { approvalWaitMs: 100 } });
    expect((await call()).code).toBe("pending");
    late?.write(decision("allow-once"));
    await vi.waitFor(async () => expect((await call()).code).toBe("ok"));
  });

  it("is no longer waited for after two minutes", async () => {
    const closed = vi.fn<() => void>();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.timeout(100));
    onTestFinished(() => timeout.mockRestore());
    const { call, warnings } = await room((_, connection) => void connection.on("close", closed));
    expect([(await call()).code, warnings]).toEqual(["pending", []]);
    expect(timeout).toHaveBeenCalledWith(120_000);
    await vi.waitFor(() => expect(closed).toHaveBeenCalled());
  });

  it("hears by the end of the connection that somebody else has answered", async () => {
    const closed = vi.fn<() => void>();
    const { call, asked, store } = await room((_, connection) => void connection.on("close", closed));
    const waiting = call();
    const { id } = await vi.waitUntil(() => asked[0]);
    await store.answer(id, { decision: "deny" }, "cli");
    expect((await waiting).code).toBe("denied");
    await vi.waitFor(() => expect(closed).toHaveBeenCalled());
  });
});

/** Only root can give files away. */
const IS_ROOT = process.getuid?.() === 0;
const OF_ANOTHER = {
  name: "a socket of another user",
  change: (path: string) => chownSync(path, 1234, 1234),
  says: "another user",
};

describe("nothing is answered by", () => {
  it.each<{ name: string; reply: Reply; says: string }>([
    { name: "a word that is none", reply: "allow-everything", says: "the answer is not" },
    { name: "something else", reply: (_, peer) => void peer.write("yes\n"), says: "the answer is not" },
    {
      name: "the id of another question",
      reply: (_, peer) => void peer.write(decision("allow-once", { id: "0000" })),
      says: "to another question",
    },
    {
      name: "a line that is too long",
      reply: (_, peer) => void peer.write(decision("allow-once", { more: "x".repeat(LIMITS.socketAnswerBytes) })),
      says: "too long",
    },
    { name: "a stream without a line", reply: (_, peer) => void peer.end("x".repeat(100_000)), says: "too long" },
    { name: "half a line", reply: (_, peer) => void peer.end('{"type":"decision"'), says: "" },
    { name: "a connection that is closed", reply: (_, peer) => void peer.destroy(), says: "" },
  ])("$name", async ({ reply, says }) => {
    const { call, warnings, store, root } = await room(reply);
    expect((await call()).code).toBe("pending");
    expect([store.list()[0]?.answer, existsSync(join(root, "a.txt"))]).toEqual([undefined, true]);
    expect(warnings.join()).toContain(says);
  });

  it.each<{ name: string; change: (path: string) => void; says: string }>([
    { name: "a socket that others may use", change: (path) => chmodSync(path, 0o666), says: "mode to 600" },
    { name: "a directory that is open to others", change: (path) => chmodSync(dirname(path), 0o755), says: "700" },
    {
      name: "a link to the socket",
      change(path) {
        renameSync(path, `${path}.real`);
        symlinkSync(`${path}.real`, path);
      },
      says: "it is a link",
    },
    {
      name: "a file",
      change(path) {
        renameSync(path, `${path}.real`);
        writeFileSync(path, "", { mode: 0o600 });
      },
      says: "it is no socket",
    },
    ...(IS_ROOT ? [OF_ANOTHER] : []),
    { name: "nothing", change: (path) => renameSync(path, `${path}.real`), says: "there is no socket" },
  ])("$name", async ({ change, says }) => {
    const { call, path, asked, warnings } = await room("allow-once");
    change(path);
    expect([(await call()).code, asked, warnings]).toEqual(["pending", [], [expect.stringContaining(says)]]);
  });

  it("a socket that takes the place of another one before we connect", async () => {
    const path = join(scratch({ ui: null }), "ui", "approvals.sock");
    const asked = [await program(path, "allow-once"), await program(`${path}.new`, "allow-once")];
    chmodSync(dirname(path), 0o700);
    const channel = createSocketChannel({
      path,
      identify(at) {
        const identity = identifyPrivateSocket(at);
        if (existsSync(`${path}.new`)) renameSync(`${path}.new`, path);
        return identity;
      },
    });
    await expect(channel.ask(QUESTION, new AbortController().signal)).rejects.toThrow("replaced meanwhile");
    expect(asked).toEqual([[], []]);
  });
});

it("asks nothing that was withdrawn while the code for it was loaded", async () => {
  const path = join(scratch({ ui: null }), "ui", "approvals.sock");
  const asked = await program(path, (_, connection) => connection.end());
  chmodSync(dirname(path), 0o700);
  const withdrawal = new AbortController();
  const answer = createSocketChannel({ path, identify: identifyPrivateSocket }).ask(QUESTION, withdrawal.signal);
  withdrawal.abort();
  expect([await answer, asked]).toEqual([undefined, []]);
});

const QUESTION: ApprovalRequest = {
  id: "1",
  tool: "delete",
  input: {},
  session: "s",
  process: "p",
  effect: { summary: "delete a.txt", parts: [], recoverable: true },
  digest: "d",
  reasons: [],
  askedMs: 0,
  expiresMs: Infinity,
};

it("keeps no yes for a shell, and says so", async () => {
  needs("bwrap");
  vi.stubEnv("PATH", "/usr/bin:/bin");
  const root = scratch({});
  const path = join(dirname(root), "ui", "approvals.sock");
  const asked = await program(path, "allow-always");
  const warnings: string[] = [];
  const open = () =>
    callerOn(root, {
      exec: { security: "allowlist" },
      approvalSocket: { path },
      warn: (message) => void warnings.push(message),
    });
  const agent = open();
  expect((await agent("exec", { command: "bash -c 'getconf PAGE_SIZE'" })).code).toBe("ok");
  expect(warnings).toEqual([expect.stringMatching(/^Cannot keep the yes .* exactly this command, in this session$/)]);
  await agent("exec", { command: "getconf PAGE_SIZE" });
  expect([asked.length, warnings.length]).toEqual([2, 1]);
  await open()("exec", { command: "getconf PAGE_SIZE" });
  await open()("exec", { command: "bash -c 'getconf PAGE_SIZE'" });
  expect(asked.map(({ request }) => request["command"])).toEqual([
    "bash -c 'getconf PAGE_SIZE'",
    "getconf PAGE_SIZE",
    "bash -c 'getconf PAGE_SIZE'",
  ]);
  const listed = readFileSync(join(stateBeside(root), "exec-approvals.json"), "utf8");
  expect([listed.includes("getconf"), listed.includes("bash")]).toEqual([true, false]);
});

describe("the socket is out of reach", () => {
  it.each([
    { name: "in a root", at: (root: string) => join(root, "approvals.sock") },
    { name: "above a root", at: (root: string) => join(dirname(root), "approvals.sock") },
  ])("of file tools: refused $name", ({ at }) => {
    const root = scratch({});
    expect(() => appOn(root, { approvalSocket: { path: at(root) } })).toThrow("in a directory of its own");
  });

  it.each([
    { name: "in the state", path: undefined },
    { name: "elsewhere", path: join("ui", "approvals.sock") },
  ])("of commands in a sandbox: $name", async ({ path }) => {
    needs("bwrap", "perl");
    const home = scratch({ "work/a.txt": "" });
    vi.stubEnv("HOME", home);
    const root = join(home, "work");
    const options = {
      stateDirectory: join(home, "state"),
      ...(path && { approvalSocket: { path: join(home, path) } }),
    };
    const call = callerOn(root, { exec: { security: "full" }, approvalSocket: {}, ...options });
    const socket = join(home, path ?? join("state", "exec-approvals.sock"));
    const asked = await program(socket, "allow-once");
    const reach = `use Socket; socket(S, PF_UNIX, SOCK_STREAM, 0); connect(S, sockaddr_un("${socket}")) or die $!`;
    const { data } = await call("exec", { command: `perl -e '${reach}'` });
    expect([data["exit_code"], data["output"], asked]).toEqual([2, expect.stringMatching(/^No such file/), []]);
  });
});
