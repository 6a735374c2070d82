import { once } from "node:events";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import type { Options } from "../../src/app/options.ts";
import { LIMITS } from "../../src/base/limits.ts";
import { loadDialect } from "../../src/dialects/load.ts";
import { type RpcResponse, answerTo } from "../../src/faces/rpc/frame.ts";
import { createMethods } from "../../src/faces/rpc/methods.ts";
import { serveRpc } from "../../src/faces/rpc/stdio.ts";
import { appOn, scratch, type Tree } from "../runtime/scratch.ts";

async function served(tree: Tree = {}, options: Partial<Options> = {}) {
  const app = appOn(scratch(tree), { dialect: await loadDialect("capabilities"), ...options });
  return { app, ask: createMethods(app, { aborted: false }) };
}

const resultOf = (answer: RpcResponse) =>
  "result" in answer ? (answer.result as Readonly<Record<string, unknown>>) : {};
const invoking = (capability: string, inputs: object, session_id?: unknown) => ({ capability, inputs, session_id });

it("gives every session its own id, counters and watches", async () => {
  const { ask } = await served();
  const first = resultOf(await ask("session.create", {}))["session_id"];
  const second = resultOf(await ask("session.create", undefined))["session_id"];
  expect(first).not.toBe(second);
  const watch = (session: unknown) => ask("capabilities.invoke", invoking("filesystem.watch", { path: "." }, session));
  expect([await watch(first), await watch(second), await watch(undefined)]).toMatchObject([
    { result: { watch_id: "w1" } },
    { result: { watch_id: "w1" } },
    { result: { watch_id: "w1" } },
  ]);
  const about = await ask("capabilities.invoke", invoking("agent.session", {}, first));
  expect(about).toMatchObject({ result: { session_id: first, invocation_count: 3 } });
});

it("knows a session no longer once it has ended", async () => {
  const { ask } = await served();
  const { session_id: session } = resultOf(await ask("session.create", {}));
  expect(await ask("session.end", { session_id: session })).toEqual({ result: { session_id: session, ended: true } });
  expect([
    await ask("capabilities.list", { session_id: session }),
    await ask("session.end", { session_id: session }),
  ]).toMatchObject([{ error: { code: -32_003 } }, { error: { code: -32_003 } }]);
});

it("has only so many sessions at a time", async () => {
  const { ask } = await served();
  const ids: unknown[] = [];
  for (let nth = 0; nth < LIMITS.rpcSessions; nth++) ids.push(resultOf(await ask("session.create", {}))["session_id"]);
  expect(await ask("session.create", {})).toMatchObject({ error: { code: -32_000 } });
  await ask("session.end", { session_id: ids[0] });
  expect(await ask("session.create", {})).toMatchObject({ result: {} });
});

it("says that somebody still has to say yes", async () => {
  const { ask } = await served({ a: "x" }, { approvalWaitMs: 1 });
  expect(await ask("capabilities.invoke", invoking("filesystem.delete", { path: "a" }))).toEqual({
    error: {
      code: -32_002,
      message: expect.any(String),
      data: {
        status: "pending_approval",
        approval_id: expect.any(String),
        message: expect.stringContaining("approvals approve"),
      },
    },
  });
});

it("says that a call goes in circles", async () => {
  const { ask } = await served();
  const answers: RpcResponse[] = [];
  for (let time = 0; time <= LIMITS.loopCritical; time++)
    answers.push(await ask("capabilities.invoke", invoking("filesystem.stat", { path: "a" })));
  expect(answers.at(-1)).toMatchObject({ error: { code: -32_000, data: { error: "RateLimited" } } });
});

it("ends when nobody reads its answers", async () => {
  const { app } = await served();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const done = serveRpc(app, input, output);
  output.destroy(new Error("gone"));
  await done;
  expect(input.destroyed).toBe(true);
});

it("answers a line that is too long, and goes on", async () => {
  const { app } = await served();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const said = text(output);
  const done = serveRpc(app, input, output);
  if (!input.write(`${"x".repeat(LIMITS.messageBytes + 1)}\n`)) await once(input, "drain");
  input.end(JSON.stringify({ jsonrpc: "2.0", id: 2, method: "nope" }));
  await done;
  output.end();
  const answers = (await said).trim().split("\n");
  expect(answers.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { id: null, error: { code: -32_600 } },
    { id: 2, error: { code: -32_601 } },
  ]);
});

const asked = (method: string, id?: number) => ({ jsonrpc: "2.0", id, method });

it("does no more of a batch than its answer can hold, but for what wants no answer", async () => {
  const done: string[] = [];
  const handle = async (method: string): Promise<RpcResponse> => {
    done.push(method);
    return { result: "x".repeat(LIMITS.answerChars / 2) };
  };
  const batch = [asked("a", 1), asked("b", 2), asked("c", 3), asked("told"), asked("d", 4)];
  const answers: unknown = JSON.parse((await answerTo(JSON.stringify(batch), handle)) ?? "");
  expect(done).toEqual(["a", "b", "told"]);
  expect(answers).toMatchObject([
    { id: 1, result: expect.any(String) },
    { id: 2, result: expect.any(String) },
    { id: 3, error: { code: -32_000 } },
    { id: 4, error: { code: -32_000 } },
  ]);
});

it("says back only the beginning of a method that there is not", async () => {
  const { ask } = await served();
  const named = `There is no method "${"m".repeat(LIMITS.quotedNameChars)}": there are capabilities.list`;
  expect(await ask("m".repeat(LIMITS.messageBytes), {})).toEqual({
    error: { code: -32_601, message: expect.stringContaining(named) },
  });
});
