import { expect, it } from "vitest";
import * as z from "zod";
import { BUILTIN_TOOLS } from "../../../src/tools/index.ts";
import { answer, defineTool, DESTRUCTIVE, OUTWARD, READ_ONLY } from "../../../src/tools/tool.ts";
import { appOn, callerOf, callerOn, scratch } from "../scratch.ts";

const DENYING = {
  toolConfig: { tools: { deny: ["group:fs"], byProvider: { openai: { alsoAllow: ["exec"] } } } },
  originOf: (key: readonly string[]) => (key.join(".") === "tools.deny.0" ? "holdfast.jsonc:4" : undefined),
};

const ASKED_ANEW = { ...READ_ONLY, idempotentHint: false };

const reachOut = defineTool({
  name: "reach_out",
  title: "Reach out",
  description: "Reaches out.",
  annotations: OUTWARD,
  input: z.strictObject({}),
  output: z.object({}),
  plan: async () => answer("", {}),
});

it("answers a call of a hidden tool with what hides it and what would bring it back", async () => {
  const { data } = await callerOn(scratch(), { ...DENYING, readOnly: true })("write", { path: "a", content: "" });
  expect(data).toEqual({
    error: {
      code: "denied",
      message:
        'Cannot call "write": it is hidden from this session (read-only: nothing can be changed in this session; ' +
        'global lists: tools.deny has "group:fs" (holdfast.jsonc:4)). ' +
        'To show it: set readOnly to false; take "group:fs" out of tools.deny',
      hint: "Do not retry: ask the user, or find another way",
      hidden_by: ["read-only", "global lists"],
      fixes: ["set readOnly to false", 'take "group:fs" out of tools.deny'],
    },
  });
});

it.each(["glob", "list", "apply-patch"])("does so for a hidden tool by its other name %s", async (name) => {
  const { code, text } = await callerOn(scratch(), DENYING)(name);
  expect([code, text]).toEqual(["denied", expect.stringContaining("(global lists: tools.deny has ")]);
});

const CHANGING = BUILTIN_TOOLS.filter(({ annotations }) => !annotations.readOnlyHint);
const COMMANDS = BUILTIN_TOOLS.filter(({ catalogue }) => catalogue.group === "runtime");
const ARCHIVES = BUILTIN_TOOLS.filter(({ catalogue }) => catalogue.group === "archives");
const CHANGING_FILES = CHANGING.filter((tool) => !COMMANDS.includes(tool));

it("lists hidden tools with their reasons", async () => {
  const { text, data } = await callerOn(scratch(), {
    toolConfig: { tools: { profile: "readonly", deny: ["list"] } },
  })("session");
  expect(text.split("\n").slice(1)).toEqual([
    `session ${String(data["session_id"])}, profile readonly, containment handle, pages of 51200 bytes`,
    `hidden: ${CHANGING_FILES.map(({ name }) => name).join(", ")} ` +
      '(global profile: tools.profile "readonly" leaves it out)',
    'hidden: exec, process (exec: commands are off; global profile: tools.profile "readonly" leaves it out)',
    'hidden: ls (global lists: tools.deny has "list")',
  ]);
  expect(data["hidden_tools"]).toContainEqual({
    tool: "ls",
    reason: 'global lists: tools.deny has "list"',
    fix: 'take "list" out of tools.deny',
  });
});

const NOT_FOR_SUB_AGENTS = BUILTIN_TOOLS.filter(({ catalogue }) => !catalogue.subAgent).length;

it.each([
  { name: "nothing", options: {}, profile: "files", hidden: COMMANDS.length + ARCHIVES.length },
  { name: "commands", options: { exec: { security: "full" as const } }, profile: "files", hidden: ARCHIVES.length },
  { name: "a profile", options: { profile: "minimal" as const }, profile: "minimal", hidden: BUILTIN_TOOLS.length - 1 },
  { name: "read-only", options: { readOnly: true }, profile: "readonly", hidden: CHANGING.length },
  {
    name: "read-only in the configuration",
    options: { toolConfig: { readOnly: true }, readOnly: false },
    profile: "readonly",
    hidden: CHANGING.length,
  },
  {
    name: "a profile over the configuration",
    options: { profile: "full" as const, toolConfig: { tools: { profile: "minimal" as const } } },
    profile: "full",
    hidden: COMMANDS.length,
  },
  {
    name: "the profile of an agent",
    options: {
      toolConfig: { agents: { bob: { tools: { profile: "minimal" as const } } } },
      agentContext: { agent: "bob" },
    },
    profile: "minimal",
    hidden: BUILTIN_TOOLS.length - 1,
  },
  { name: "a sub-agent", options: { agentContext: { depth: 1 } }, profile: "files", hidden: NOT_FOR_SUB_AGENTS },
])("shows what $name leaves", ({ options, profile, hidden }) => {
  const { facts } = appOn(scratch(), options).session;
  expect([facts.profile, facts.hiddenTools.length]).toEqual([profile, hidden]);
});

it.each([
  { name: "nothing", options: {}, annotations: DESTRUCTIVE },
  { name: "tools that reach out", options: { tools: [reachOut] }, annotations: OUTWARD },
  { name: "read-only", options: { readOnly: true }, annotations: ASKED_ANEW },
  { name: "a profile", options: { profile: "readonly" as const }, annotations: ASKED_ANEW },
])("says of session that it does whatever a call may do that it goes on with: $name", ({ options, annotations }) => {
  const { tools } = appOn(scratch(), options).surface;
  expect(tools.find(({ name }) => name === "session")?.annotations).toEqual(annotations);
});

it("a session that is read-only in the configuration cannot write by any way", () => {
  const { session } = appOn(scratch(), { toolConfig: { readOnly: true } });
  expect([session.workspace.writing, session.facts.roots()[0]?.write]).toEqual([undefined, false]);
});

it("tells the operator of entries that mean nothing", () => {
  const warnings: string[] = [];
  appOn(scratch(), { toolConfig: { tools: { deny: ["wirte"] } }, warn: (message) => void warnings.push(message) });
  expect(warnings).toEqual(['Skipped an entry of tools.deny: there is no tool "wirte"; did you mean "write"?']);
});

it("does not start with a configuration that contradicts itself", () => {
  const toolConfig = { tools: { allow: ["read"], alsoAllow: ["ls"] } };
  expect(() => appOn(scratch(), { toolConfig })).toThrow("Cannot use tools.alsoAllow: tools.allow is set, too");
});

it("shows every other tool as before", async () => {
  const caller = callerOf(appOn(scratch({ "a.txt": "a\n" }), { agentContext: { depth: 1 } }));
  expect((await caller("read", { path: "a.txt" })).code).toBe("ok");
});
