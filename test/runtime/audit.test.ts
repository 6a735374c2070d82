import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { createAudit } from "../../src/runtime/audit.ts";
import { appOn, callerOf, scratch, stateBeside } from "./scratch.ts";

/** Every record must carry the hash of the line before it. */
function verify(log: string): readonly Record<string, unknown>[] {
  const lines = log.split("\n").slice(0, -1);
  const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const hashes = lines.map((line) => hash("sha256", line, "base64url"));
  expect(records.map(({ previous }) => previous)).toEqual(["", ...hashes.slice(0, -1)]);
  return records;
}

function logOf(directory: string): string {
  const [name, ...others] = readdirSync(directory);
  expect([name, others]).toEqual([expect.stringMatching(/^audit-\d{4}-\d\d-\d\d\.jsonl$/), []]);
  return readFileSync(join(directory, String(name)), "utf8");
}

it("keeps one record per call, chained, and nothing of what was read", async () => {
  const root = scratch({ "a.txt": "the content\n" });
  const app = appOn(root);
  const caller = callerOf(app);
  await caller("read", { path: "a.txt" });
  await caller("read", { path: "../b.txt" });
  await caller("nope", { x: 1 });
  app.close();
  await caller("ls");
  app.close();
  const log = logOf(app.stateDirectory);
  const session = app.session.facts.id;
  const common = { session, time: expect.any(Number), ms: expect.any(Number), previous: expect.any(String) };
  expect(verify(log)).toEqual([
    { ...common, tool: "read", input: { path: "a.txt" }, code: "ok" },
    { ...common, tool: "read", input: { path: "../b.txt" }, code: "outside_workspace" },
    { ...common, tool: "nope", input: { x: 1 }, code: "unknown_tool" },
    { ...common, tool: "ls", input: {}, code: "ok" },
  ]);
  expect(log).not.toContain("the content");
});

it("shows a broken chain when a line was changed or removed", () => {
  const lines: string[] = [];
  const audit = createAudit((text) => void lines.push(text));
  for (let n = 0; n < 5; n++) audit.record({ n });
  audit.flush();
  const log = lines.join("");
  expect(verify(log).map(({ n }) => n)).toEqual([0, 1, 2, 3, 4]);
  expect(() => verify(log.replace('"n":2', '"n":9'))).toThrow(/to deeply equal/);
  expect(() => verify(log.replace(/^.*"n":2.*\n/m, ""))).toThrow(/to deeply equal/);
});

it("writes shortly after the call by itself", async () => {
  const root = scratch({ "a.txt": "" });
  const app = appOn(root);
  await callerOf(app)("ls");
  await vi.waitUntil(() => existsSync(app.stateDirectory) && readdirSync(app.stateDirectory).length > 0);
  expect(verify(logOf(app.stateDirectory))).toMatchObject([{ tool: "ls", code: "ok" }]);
});

it("makes nothing before the first call", () => {
  const root = scratch();
  const app = appOn(root);
  app.close();
  expect(existsSync(stateBeside(root))).toBe(false);
});

it("never fails a call when it cannot write, and says so once", async () => {
  const root = scratch({ "a.txt": "a" });
  const inTheWay = join(root, "..", "file");
  writeFileSync(inTheWay, "");
  const warnings: string[] = [];
  const app = appOn(root, { stateDirectory: join(inTheWay, "state"), warn: (message) => void warnings.push(message) });
  const caller = callerOf(app);
  for (let time = 0; time < 3; time++) {
    expect((await caller("read", { path: "a.txt" })).text).toBe("a");
    app.close();
  }
  expect(warnings).toEqual([expect.stringMatching(/^Cannot write the audit log: .*not a directory/)]);
});

const circular: Record<string, unknown> = {};
circular["self"] = circular;

it.each([
  { name: "a bigint", input: { path: 1n } },
  { name: "a circle", input: { path: circular } },
  { name: "a function", input: { path: () => {} } },
  {
    name: "a thing that cannot be written down",
    input: {
      path: {
        toJSON: () => {
          throw new Error("no");
        },
      },
    },
  },
])("survives arguments that JSON cannot hold: $name", async ({ input }) => {
  const app = appOn(scratch({ "a.txt": "a" }));
  const caller = callerOf(app);
  expect((await caller("read", input)).code).toBe("invalid_input");
  expect(() => app.close()).not.toThrow();
  await caller("ls");
  app.close();
  expect(verify(logOf(app.stateDirectory)).map(({ tool }) => tool)).toEqual(["read", "ls"]);
});
