import { hash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { Options } from "../../src/app/options.ts";
import type { RuleWithOrigin } from "../../src/config/layer.ts";
import type { ApprovalAnswer } from "../../src/runtime/approvals/approval.ts";
import { type AuditFile, type AuditLog, createAudit } from "../../src/runtime/audit/audit.ts";
import { checkAudit } from "../../src/runtime/audit/verify-chain.ts";
import { appOn, callerOf, scratch, stateBeside } from "./scratch.ts";
import { WHILE_BUSY } from "../work.ts";

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

const FREE = { decision: { verdict: "autonomous", rules: ["built-in"] } };

const ruledOut = (code: string) => ({ code, decision: { verdict: "none", rules: [], reasons: [code] } });

it("keeps one record per call, chained, and nothing of what was read", async () => {
  const root = scratch({ "a.txt": "the content\n" });
  const app = appOn(root);
  const caller = callerOf(app);
  await caller("read", { path: "a.txt" });
  await caller("read", { path: "../b.txt" });
  await caller("nope", { x: 1 });
  await app.close();
  await caller("ls");
  await app.close();
  const log = logOf(app.stateDirectory);
  const session = app.session.facts.id;
  const link = { chain: expect.any(String), n: expect.any(Number), previous: expect.any(String) };
  const common = { roots: [root], session, time: expect.any(Number), ms: expect.any(Number), ...link };
  expect(verify(log)).toEqual([
    { ...common, ...FREE, tool: "read", input: { path: "a.txt" }, code: "ok" },
    { ...common, ...ruledOut("outside_workspace"), tool: "read", input: { path: "../b.txt" } },
    { ...common, ...ruledOut("unknown_tool"), tool: "nope", input: { x: 1 } },
    { ...common, ...FREE, tool: "ls", input: {}, code: "ok" },
  ]);
  expect(log).not.toContain("the content");
});

it("names the directories of a narrowed session, and of an answer to it", async () => {
  const root = scratch({ "in/a.txt": "a" });
  const app = appOn(root, {
    ruleSource: { layers: [{ name: "user", rules: RULES }] },
    approver: async () => ({ decision: "once" }),
  });
  const surface = app.narrowed([join(root, "in")])?.surface;
  await surface?.call({ tool: "delete", input: { path: "a.txt" }, signal: { aborted: false } });
  await callerOf(app)("ls");
  await app.close();
  const [file] = app.session.audit.files();
  expect(verify(String(file?.text)).map(({ tool, roots }) => [tool, roots])).toEqual([
    ["approval", [join(root, "in")]],
    ["delete", [join(root, "in")]],
    ["ls", [root]],
  ]);
});

it("shows no line that another process is writing", async () => {
  const app = appOn(scratch({}));
  await callerOf(app)("ls");
  await app.close();
  const [file] = app.session.audit.files();
  appendFileSync(join(app.stateDirectory, String(file?.name)), '{"tool":"re');
  expect(app.session.audit.files()).toEqual([file]);
});

const RULES: readonly RuleWithOrigin[] = [
  { act: "read", path: "secret.txt", decide: "blocked", reason: "it is secret", origin: "f.jsonc:1" },
  { act: "read", path: "asked.txt", decide: "approval", reason: "it is asked", origin: "f.jsonc:2" },
  { act: "delete", decide: "approval", reason: "it deletes", origin: "f.jsonc:3" },
  { act: "write", path: "made.txt", decide: "autonomous", reason: "it is made anew", origin: "f.jsonc:4" },
];

const asked = (said: string, rule: number, reason: string) => ({
  decision: { verdict: "approval", rules: [`f.jsonc:${rule}`], reasons: [reason] },
  approvers: [{ channel: "sdk", who: "Ann", said }],
});

it.each<{ name: string; tool: string; input: object; says?: ApprovalAnswer["decision"]; code: string; record: object }>(
  [
    { name: "free", tool: "read", input: { path: "a.txt" }, code: "ok", record: FREE },
    {
      name: "told",
      tool: "edit",
      input: { path: "a.txt", oldText: "a", newText: "b" },
      code: "ok",
      record: {
        decision: { verdict: "notify", rules: ["built-in"], reasons: ["it changes files"] },
        effects: [{ action: "replace", before: expect.any(String), after: expect.any(String) }],
      },
    },
    {
      name: "free to change, by another rule than to read",
      tool: "edit",
      input: { path: "made.txt", oldText: "m", newText: "b" },
      code: "ok",
      record: {
        decision: { verdict: "autonomous", rules: ["f.jsonc:4"] },
        effects: [{ action: "replace", before: expect.any(String), after: expect.any(String) }],
      },
    },
    {
      name: "blocked",
      tool: "read",
      input: { path: "secret.txt" },
      code: "denied",
      record: { decision: { verdict: "blocked", rules: ["f.jsonc:1"], reasons: ["it is secret"] } },
    },
    { name: "blocked, but skipped", tool: "grep", input: { pattern: "a" }, code: "ok", record: FREE },
    {
      name: "a read that was asked for",
      tool: "read",
      input: { path: "asked.txt" },
      code: "ok",
      record: asked("once", 2, "it is asked"),
    },
    {
      name: "a change that was asked for",
      tool: "delete",
      input: { path: "a.txt" },
      says: "session",
      code: "ok",
      record: { ...asked("session", 3, "it deletes"), effects: [{ action: "delete", before: expect.any(String) }] },
    },
    {
      name: "a change that was denied",
      tool: "delete",
      input: { path: "a.txt" },
      says: "deny",
      code: "denied",
      record: asked("deny", 3, "it deletes"),
    },
  ],
)("says what was decided, by which rule and by whom: $name", async ({ tool, input, says = "once", code, record }) => {
  const app = appOn(scratch({ "a.txt": "a", "secret.txt": "a", "asked.txt": "a", "made.txt": "m" }), {
    ruleSource: { layers: [{ name: "user", rules: RULES }] },
    approver: async () => ({ decision: says, who: "Ann" }),
  });
  expect((await callerOf(app)(tool, input)).code).toBe(code);
  await app.close();
  const last = app.session.audit.files().at(-1)?.text.trimEnd().split("\n").at(-1);
  const { approvers, ...found } = JSON.parse(String(last)) as Record<string, unknown>;
  expect({ ...found, ...(approvers !== undefined && { approvers }) }).toMatchObject({ tool, code, ...record });
  expect(approvers !== undefined).toBe("approvers" in record);
});

/** Two processes that write in turn, over two days. */
function twoChains(): AuditFile[] {
  const files = [
    { name: "audit-1.jsonl", text: "" },
    { name: "audit-2.jsonl", text: "" },
  ];
  let day = 0;
  const log: AuditLog = {
    append: (lines) => void ((files[day] as { text: string }).text += lines),
    files: () => files.slice(0, day + 1),
    lastLine: () => ((files[day] as AuditFile).text || (files[day - 1]?.text ?? "")).trimEnd().split("\n").at(-1) ?? "",
  };
  const writers = [createAudit({ log, roots: [] }), createAudit({ log, roots: [] })] as const;
  for (const [nth, event] of ["a", "b", "c", "d", "e", "f"].entries()) {
    if (nth === 3) day = 1;
    const writer = writers[nth === 0 ? 0 : ((nth % 2) as 0 | 1)];
    writer.record({ event });
    writer.flush();
  }
  return files;
}

const edited = (files: readonly AuditFile[], file: number, edit: (lines: string[]) => void): AuditFile[] =>
  files.map((each, nth) => {
    const lines = each.text.split("\n");
    if (nth === file) edit(lines);
    return { ...each, text: lines.join("\n") };
  });

it.each([
  { name: "nothing was touched", file: 0, edit: () => {}, flaws: [] },
  {
    name: "a record was altered",
    file: 0,
    edit: (lines: string[]) => void (lines[1] = (lines[1] as string).replace('"b"', '"x"')),
    flaws: [["audit-2.jsonl:1", "the record before it in its chain, audit-1.jsonl:2, was altered"]],
  },
  {
    name: "a record was removed",
    file: 1,
    edit: (lines: string[]) => void lines.splice(0, 1),
    flaws: [["audit-2.jsonl:2", "1 record of its chain missing before it"]],
  },
  {
    name: "two were swapped",
    file: 1,
    edit: (lines: string[]) => void lines.splice(0, 3, lines[2] as string, lines[1] as string, lines[0] as string),
    flaws: [
      ["audit-2.jsonl:1", "1 record of its chain missing before it"],
      ["audit-2.jsonl:3", "it is out of order, or here twice"],
    ],
  },
  {
    name: "a line was put in",
    file: 1,
    edit: (lines: string[]) => void lines.splice(1, 0, '{"tool":"read"}'),
    flaws: [["audit-2.jsonl:2", "it is no record"]],
  },
  {
    name: "the first of all was removed",
    file: 0,
    edit: (lines: string[]) => void lines.splice(0, 1),
    flaws: [
      ["audit-1.jsonl:1", "what was written before it is missing or was altered"],
      ["audit-1.jsonl:2", "1 record of its chain missing before it"],
    ],
  },
])("finds in the log what happened to it: $name", ({ file, edit, flaws }) => {
  const found = checkAudit(edited(twoChains(), file, edit)).flaws;
  expect(found.map(({ file: at, line, flaw }) => [`${at}:${line}`, flaw])).toEqual(flaws);
});

it("writes shortly after the call by itself", async () => {
  const root = scratch({ "a.txt": "" });
  const app = appOn(root);
  await callerOf(app)("ls");
  await vi.waitUntil(() => existsSync(app.stateDirectory) && readdirSync(app.stateDirectory).length > 0, WHILE_BUSY);
  expect(verify(logOf(app.stateDirectory))).toMatchObject([{ tool: "ls", code: "ok" }]);
});

it("makes nothing before the first call", async () => {
  const root = scratch();
  const app = appOn(root);
  await app.close();
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
    await app.close();
  }
  expect(warnings).toEqual([expect.stringMatching(/^Cannot write the audit log: .*not a directory/)]);
});

/** The log of today is in the way of itself; everything else works. */
async function stuck(options: Partial<Options> = {}) {
  const root = scratch({ "a.txt": "a" });
  const app = appOn(root, options);
  const caller = callerOf(app);
  const log = join(app.stateDirectory, `audit-${new Date().toISOString().slice(0, 10)}.jsonl`);
  mkdirSync(log, { recursive: true });
  await caller("ls");
  app.session.audit.flush();
  return { root, app, caller, log };
}

describe("while it cannot be written", () => {
  const write = { path: "b.txt", content: "b" };

  it("nothing is changed, and reading goes on", async () => {
    const { root, caller } = await stuck();
    const answer = await caller("write", write);
    expect(answer.text).toMatch(/^Cannot change anything: the audit log cannot be written; reading goes on\n/);
    expect([answer.data["error"], existsSync(join(root, "b.txt"))]).toMatchObject([
      { hint: expect.stringContaining("audit.required") },
      false,
    ]);
    expect((await caller("write", { ...write, dry_run: true })).code).toBe("ok");
    expect((await caller("read", { path: "a.txt" })).text).toBe("a");
  });

  it("changes go on where the operator says so", async () => {
    const { caller } = await stuck({ auditRequired: false });
    expect((await caller("write", write)).code).toBe("ok");
  });

  it("what waits is written as soon as it can be, and changes go on", async () => {
    const { app, caller, log } = await stuck();
    expect((await caller("write", write)).isError).toBe(true);
    rmdirSync(log);
    expect((await caller("write", write)).code).toBe("ok");
    await app.close();
    expect(verify(readFileSync(log, "utf8")).map(({ tool, code }) => `${String(tool)} ${String(code)}`)).toEqual([
      "ls ok",
      expect.stringMatching(/^write (?!ok)/),
      "write ok",
    ]);
  });

  it("the memory does not fill, and what is lost is counted", () => {
    let isFull = true;
    let text = "";
    const append = (lines: string): void => {
      if (isFull) throw new Error("full");
      text += lines;
    };
    const audit = createAudit({ log: { append, files: () => [], lastLine: () => "" }, roots: [] });
    for (let nth = 0; nth < 1010; nth++) {
      audit.record({ nth });
      audit.flush();
    }
    isFull = false;
    audit.flush();
    const [first, second, ...others] = verify(text);
    expect([first, second, others.length]).toMatchObject([
      { tool: "audit", code: "lost", records: 10 },
      { nth: 10 },
      999,
    ]);
  });
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
  await app.close();
  expect(verify(logOf(app.stateDirectory)).map(({ tool }) => tool)).toEqual(["read", "ls"]);
});
