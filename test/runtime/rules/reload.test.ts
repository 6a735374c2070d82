import { EventEmitter, once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import * as z from "zod";
import type { Options } from "../../../src/app/options.ts";
import { LIMITS } from "../../../src/base/limits.ts";
import type { RuleWithOrigin } from "../../../src/config/layer.ts";
import { loadDialect } from "../../../src/dialects/load.ts";
import type { RuleSource } from "../../../src/runtime/rules/live-policy.ts";
import type { ToolsConfig } from "../../../src/runtime/tools/config.ts";
import { answer, defineTool, READ_ONLY } from "../../../src/tools/tool.ts";
import { appOn, callerOf, scratch } from "../scratch.ts";

/** The configuration that an operator has written. */
interface Written {
  readonly tools?: ToolsConfig;
  readonly rules?: readonly RuleWithOrigin[];
}

/** A session under what is written, which can be written anew. */
function underWritten(first: Written, options: Partial<Options> = {}) {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  let latest = first;
  const sourceOf = (written: Written): RuleSource => ({
    layers: [{ name: "user", rules: written.rules ?? [] }],
    tools: { toolConfig: { tools: written.tools } },
    reload: async () => (latest === written ? undefined : sourceOf(latest)),
  });
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const app = appOn(scratch({ "a.txt": "a\n" }), { ruleSource: sourceOf(first), warn, ...options });
  const listed = () => app.surface.tools.map(({ name }) => name);
  const notified: (readonly string[])[] = [];
  app.surface.onToolsChanged?.(() => notified.push(listed()));
  return {
    app,
    caller: callerOf(app),
    notified,
    warnings,
    listed,
    /** Writes, and waits while somebody uses the session. */
    async write(next: Written, use: () => unknown = listed): Promise<void> {
      latest = next;
      for (let seconds = 0; seconds < 3; seconds++) {
        vi.setSystemTime(Date.now() + LIMITS.configPollMs);
        await use();
        await setImmediate();
      }
    },
  };
}

const BLOCKED: RuleWithOrigin = { act: ["write", "create", "delete", "move"], decide: "blocked", origin: "here" };
const WRONG: RuleWithOrigin = { act: "read", path: "a", decide: "blocked", match: ["b"], origin: "here" };
const STAYS = "Rules and tools stay as they were: ";

it.each<{
  readonly name: string;
  readonly before: Written;
  readonly after: Written;
  readonly gone?: readonly string[];
  readonly come?: readonly string[];
  readonly profile?: string;
  readonly dialect?: string;
  /** Is true when the client gets a notification. */
  readonly isNotified?: boolean;
  readonly warned?: readonly unknown[];
}>([
  { name: "a tool that is denied", before: {}, after: { tools: { deny: ["edit", "undo"] } }, gone: ["edit", "undo"] },
  { name: "a tool that is no longer", before: { tools: { deny: ["edit"] } }, after: {}, come: ["edit"] },
  {
    name: "one for another",
    before: { tools: { deny: ["edit"] } },
    after: { tools: { deny: ["ls"] } },
    come: ["edit"],
    gone: ["ls"],
  },
  {
    name: "another profile",
    before: { tools: { profile: "minimal" } },
    after: { tools: { profile: "readonly", allow: ["session", "read"] } },
    come: ["read"],
    profile: "readonly",
  },
  { name: "rules alone", before: {}, after: { rules: [BLOCKED] }, isNotified: false },
  { name: "tools that there are none of", before: {}, after: { tools: { deny: ["exec"] } }, isNotified: false },
  {
    name: "a tool of a dialect, made of one that is denied",
    before: {},
    after: { tools: { deny: ["edit"] } },
    dialect: "picoclaw",
    gone: ["edit_file"],
  },
  {
    name: "tools of a dialect, of which rules block all that they do",
    before: {},
    after: { rules: [BLOCKED] },
    dialect: "capabilities",
    gone: ["write", "delete", "restore", "copy", "move", "append"].map((name) => `filesystem__${name}`),
  },
  {
    name: "an entry that means nothing",
    before: {},
    after: { tools: { deny: ["wirte", "ls"] } },
    gone: ["ls"],
    warned: ['Skipped an entry of tools.deny: there is no tool "wirte"; did you mean "write"?'],
  },
  {
    name: "lists that contradict themselves",
    before: {},
    after: { tools: { allow: ["read"], alsoAllow: ["ls"] } },
    isNotified: false,
    warned: [expect.stringContaining(`${STAYS}Cannot use tools.alsoAllow: tools.allow is set, too`)],
  },
  {
    name: "a group that there is none of",
    before: { tools: { deny: ["ls"] } },
    after: { tools: { deny: ["group:fz"] } },
    isNotified: false,
    warned: [expect.stringContaining(`${STAYS}Cannot use tools.deny: there is no group "group:fz"`)],
  },
  {
    name: "tools that could be used, with a rule that cannot",
    before: {},
    after: { tools: { deny: ["ls"] }, rules: [WRONG] },
    isNotified: false,
    warned: [expect.stringContaining(`${STAYS}Cannot use the rule at here`)],
  },
])("written anew: $name", async (row) => {
  const { before, after, gone = [], come = [], profile = "files", isNotified = true, warned = [] } = row;
  const dialect = row.dialect === undefined ? undefined : await loadDialect(row.dialect);
  const { app, notified, warnings, listed, write } = underWritten(before, { dialect });
  const first = listed();
  await write(after);
  const last = listed();
  expect({
    gone: first.filter((name) => !last.includes(name)),
    come: last.filter((name) => !first.includes(name)),
    profile: app.session.facts.profile,
    notified,
    warnings,
  }).toEqual({ gone, come, profile, notified: isNotified ? [last] : [], warnings: warned });
});

it("tells again of what cannot be used once it could be in between, and goes on under a yes that is given meanwhile", async () => {
  const { app, caller, warnings, write } = underWritten({});
  for (const written of [{ rules: [WRONG] }, {}, { rules: [WRONG] }]) await write(written);
  await app.grants.add({ act: "write", path: "a.txt", roots: ["/"], origin: "here" }, "session");
  expect([warnings.length, (await caller("read", { path: "a.txt" })).code]).toEqual([2, "ok"]);
});

it("lets a call end that began before its tool was hidden, and refuses the next by what is written now", async () => {
  const gate = new EventEmitter();
  const slow = defineTool({
    name: "slow",
    title: "Slow",
    description: "Waits.",
    annotations: READ_ONLY,
    input: z.object({}),
    output: z.object({}),
    plan: async () => {
      await once(gate, "open");
      return answer("done", {});
    },
  });
  const { caller, write, listed } = underWritten({}, { tools: [slow] });
  const running = caller("slow");
  await write({ tools: { deny: ["slow"] } });
  gate.emit("open");
  expect([listed().includes("slow"), (await running).text]).toEqual([false, "done"]);
  const { code, text } = await caller("slow");
  expect([code, text]).toEqual(["denied", expect.stringContaining('tools.deny has "slow"')]);
});

it("brings back a tool while nothing else is called", async () => {
  const { caller, write } = underWritten({ tools: { deny: ["ls"] } });
  const codes: string[] = [];
  await write({}, async () => codes.push((await caller("ls")).code));
  expect(codes).toEqual(["ok", "ok", "ok"]);
});

it("holds for the first call after a long silence, and for all that are made at once", async () => {
  const { caller, write } = underWritten({});
  const codes: string[] = [];
  const two = async () => Promise.all(["a.txt", "b.txt"].map((path) => caller("write", { path, content: "" })));
  await write({ rules: [BLOCKED] }, async () => codes.push(...(await two()).map(({ code }) => code)));
  expect(new Set(codes)).toEqual(new Set(["denied"]));
});
