import { describe, expect, it } from "vitest";
import { isFault } from "../../../src/base/errors.ts";
import { FOREIGN_TOOLS, OWNER_ONLY } from "../../../src/runtime/tools/profiles.ts";
import {
  checkToolPolicy,
  type ConfigKeyPath,
  unknownEntries,
  type ToolPolicyConfig,
} from "../../../src/runtime/tools/config.ts";
import type { FilteredTool, Remedy } from "../../../src/runtime/tools/filters.ts";
import { isInProfile } from "../../../src/runtime/tools/match-tool.ts";
import { type FilterStep, FILTER_STEPS } from "../../../src/runtime/tools/filter-steps.ts";
import { createVisibilityCheck, explanationLines, type ToolPolicy } from "../../../src/runtime/tools/visibility.ts";
import { BUILTIN_TOOLS } from "../../../src/tools/index.ts";
import { READ_ONLY } from "../../../src/tools/tool.ts";
import { ROWS as WRITTEN_ROWS, type Row } from "./policy-rows.ts";

const readers: readonly string[] = ["web_fetch", "image"];
const toolNamed = (name: string): FilteredTool => ({
  name,
  annotations: { ...READ_ONLY, readOnlyHint: readers.includes(name) },
});

/** Ours, those that groups speak of, and those of two plugins. */
const TOOLS: ReadonlyMap<string, FilteredTool> = new Map(
  [
    ...Object.values(FOREIGN_TOOLS).flat().map(toolNamed),
    ...OWNER_ONLY.map(toolNamed),
    ...BUILTIN_TOOLS,
    ...["jira_search", "jira_post"].map((name) => ({ ...toolNamed(name), plugin: "jira" })),
    { ...toolNamed("wiki_read"), plugin: "wiki" },
    { ...toolNamed("wiki_write"), plugin: "wiki", optional: true },
    { ...toolNamed("secret_keys"), ownerOnly: true },
  ].map((tool) => [tool.name, tool]),
);

/** Commands are on unless a row says otherwise: most rows are about other steps. */
const ROWS: readonly Row[] = WRITTEN_ROWS.map(({ config, ...row }) => ({
  ...row,
  config: { ...config, tools: { exec: { security: "allowlist" }, ...config?.tools } },
}));

const named = (names: string): readonly string[] => names.split(" ").filter(Boolean);
const known = (name: string): FilteredTool => TOOLS.get(name) ?? expect.fail(`the test knows no tool ${name}`);

const expectedOf = ({ shown = "", hidden = {} }: Row): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(named(shown).map((name) => [name, "shown"])),
  ...Object.fromEntries(Object.entries(hidden).flatMap(([step, names]) => named(names).map((name) => [name, step]))),
});

/** For every tool that the row names: "shown", or the step that took it away. */
function seenBy(row: Row, steps: readonly FilterStep[] = FILTER_STEPS): Readonly<Record<string, string>> {
  const policy: ToolPolicy = { config: row.config ?? {}, agentContext: row.agentContext ?? {} };
  const names = Object.keys(expectedOf(row));
  return Object.fromEntries(
    names.map((name) => [name, createVisibilityCheck(policy, steps)(known(name)).removals[0]?.step ?? "shown"]),
  );
}

const isRight = (row: Row, steps: readonly FilterStep[]): boolean =>
  JSON.stringify(seenBy(row, steps)) === JSON.stringify(expectedOf(row));

describe("what a session sees", () => {
  it.each(ROWS)("$name", (row) => expect(seenBy(row)).toEqual(expectedOf(row)));

  it("no two rows have one name", () => expect(new Set(ROWS.map(({ name }) => name)).size).toBe(ROWS.length));
});

describe("the table would notice", () => {
  it.each(FILTER_STEPS.map(({ name }) => name))("without the step %s", (name) => {
    const without = FILTER_STEPS.filter((step) => step.name !== name);
    expect(ROWS.filter((row) => !isRight(row, without))).not.toEqual([]);
  });
});

it("every step speaks for itself, in the documented order", () => {
  const lists = {
    deny: ["apply_patch"],
    byProvider: { openai: { profile: "minimal", deny: ["apply_patch"] } },
  } as const;
  const config: ToolPolicyConfig = {
    readOnly: true,
    tools: { ...lists, profile: "minimal", exec: { applyPatch: { enabled: false } } },
    agents: { bob: { tools: lists } },
    groups: { family: { tools: { deny: ["apply_patch"] } } },
  };
  const agentContext = { agent: "bob", provider: "openai", group: "family", isSandboxed: true, depth: 1 };
  const inSandbox = { ...config, tools: { ...config.tools, sandbox: { tools: { allow: ["read"] } } } };
  const tool = { ...known("apply_patch"), ownerOnly: true, optional: true };
  const { removals } = createVisibilityCheck({ config: inSandbox, agentContext })(tool);
  expect(removals.map(({ step }) => step)).toEqual([
    "read-only",
    "apply_patch",
    "owner",
    "optional",
    "global profile",
    "provider profile",
    "global lists",
    "provider lists",
    "agent lists",
    "agent and provider lists",
    "group lists",
    "sandbox",
    "sub-agent",
  ]);
});

type Writable = Record<string, unknown>;

/** The configuration after the operator did as told. */
function remedied(policy: ToolPolicy, remedy: Remedy): ToolPolicy {
  if (remedy.kind === "agentContext") {
    return { ...policy, agentContext: { ...policy.agentContext, isOwner: true, model: "openai/gpt-5.2" } };
  }
  const config = structuredClone(policy.config) as Writable;
  const last = remedy.key.at(-1) as string;
  const home = remedy.key.slice(0, -1).reduce((at, key) => (at[key] ??= {}) as Writable, config);
  const list = (home[last] ?? []) as readonly string[];
  if (remedy.kind === "set") home[last] = remedy.value;
  else home[last] = remedy.kind === "add" ? [...list, remedy.entry] : list.filter((each) => each !== remedy.entry);
  return { ...policy, config };
}

describe("what is said to bring a tool back does so, and hides no other", () => {
  const hiding = ROWS.filter(({ hidden }) => hidden !== undefined);
  it.each(hiding)("$name", (row) => {
    const before = seenBy(row);
    const [shown, hidden] = [true, false].map((isShown) =>
      Object.keys(before).filter((name) => (before[name] === "shown") === isShown),
    ) as [string[], string[]];
    for (const name of hidden) {
      const policy = policyWith(known(name), row);
      const missing = [name, ...shown].filter((each) => !createVisibilityCheck(policy)(known(each)).isVisible);
      expect(missing).toEqual([]);
    }
  });
});

/** Returns the policy with a tool restored. A step may have several reasons; each shows once the one before is gone. */
function policyWith(tool: FilteredTool, { config = {}, agentContext = {} }: Row): ToolPolicy {
  let policy: ToolPolicy = { config, agentContext };
  for (let rounds = 0; rounds < 3; rounds++) {
    for (const { remedy } of createVisibilityCheck(policy)(tool).removals) policy = remedied(policy, remedy);
  }
  return policy;
}

describe("explanations", () => {
  const policy: ToolPolicy = {
    config: { tools: { profile: "files", deny: ["group:web", "group:runtime"] }, agents: { bob: { tools: {} } } },
    agentContext: { depth: 1 },
    originOf: (key: ConfigKeyPath) =>
      ({ "tools.profile": "h.jsonc:3", "tools.deny": "h.jsonc:4", "tools.deny.1": "h.jsonc:6" })[key.join(".")],
  };

  it.each([
    { tool: "read", lines: ["read is shown"] },
    {
      tool: "exec",
      lines: [
        "exec is hidden",
        '  exec: commands are off; set tools.exec.security to "allowlist"',
        '  global profile: tools.profile "files" leaves it out (h.jsonc:3); add "exec" to tools.alsoAllow',
        '  global lists: tools.deny has "group:runtime" (h.jsonc:6); take "group:runtime" out of tools.deny (h.jsonc:4)',
        '  sub-agent: sub-agents do not see it; add "exec" to tools.subagents.tools.alsoAllow',
      ],
    },
    {
      tool: "cron",
      lines: [
        "cron is hidden",
        "  owner: it is for the owner only; have the owner ask for it",
        '  global profile: tools.profile "files" leaves it out (h.jsonc:3); add "cron" to tools.alsoAllow',
        '  sub-agent: sub-agents do not see it; add "cron" to tools.subagents.tools.alsoAllow',
      ],
    },
  ])("of $tool", ({ tool, lines }) =>
    expect(explanationLines(createVisibilityCheck(policy)(known(tool)))).toEqual(lines),
  );

  it("write keys as one writes them", () => {
    const config = { tools: { byProvider: { "openai/gpt-5.2": { allow: ["ls"] } } } };
    const { removals } = createVisibilityCheck({ config, agentContext: { model: "openai/gpt-5.2" } })(known("read"));
    expect(removals.map(({ fix }) => fix)).toEqual(['add "read" to tools.byProvider["openai/gpt-5.2"].allow']);
  });
});

describe("a configuration that contradicts itself", () => {
  it.each<{ name: string; config: ToolPolicyConfig; says: string | undefined }>([
    { name: "empty", config: {}, says: undefined },
    {
      name: "allow beside alsoAllow",
      config: { tools: { allow: ["read"], alsoAllow: ["ls"] } },
      says: "Cannot use tools.alsoAllow: tools.allow is set, too; put all entries into one of them",
    },
    { name: "an empty allow beside alsoAllow", config: { tools: { allow: [], alsoAllow: ["ls"] } }, says: undefined },
    {
      name: "in different scopes",
      config: { tools: { allow: ["read"] }, agents: { bob: { tools: { alsoAllow: ["ls"] } } } },
      says: undefined,
    },
    {
      name: "of an agent",
      config: { agents: { bob: { tools: { allow: ["read"], alsoAllow: ["ls"] } } } },
      says: "Cannot use agents.bob.tools.alsoAllow: agents.bob.tools.allow is set, too; put all entries into one of them",
    },
    {
      name: "of a provider",
      config: { tools: { byProvider: { "a/b": { allow: ["read"], alsoAllow: ["ls"] } } } },
      says: 'Cannot use tools.byProvider["a/b"].alsoAllow: tools.byProvider["a/b"].allow is set, too; put all entries into one of them',
    },
    {
      name: "of sandboxes",
      config: { tools: { sandbox: { tools: { allow: ["read"], alsoAllow: ["ls"] } } } },
      says: "Cannot use tools.sandbox.tools.alsoAllow: tools.sandbox.tools.allow is set, too; put all entries into one of them",
    },
    {
      name: "of sub-agents",
      config: { tools: { subagents: { tools: { allow: ["read"], alsoAllow: ["ls"] } } } },
      says: "Cannot use tools.subagents.tools.alsoAllow: tools.subagents.tools.allow is set, too; put all entries into one of them",
    },
    {
      name: "of a group",
      config: { groups: { all: { tools: { allow: ["read"], alsoAllow: ["ls"] } } } },
      says: "Cannot use groups.all.tools.alsoAllow: groups.all.tools.allow is set, too; put all entries into one of them",
    },
    {
      name: "an unknown profile",
      config: { tools: { profile: "codign" as "coding" } },
      says: 'Cannot use tools.profile: there is no profile "codign"; did you mean "coding"?',
    },
    {
      name: "a profile that every object has",
      config: { tools: { profile: "toString" as "full" } },
      says: 'Cannot use tools.profile: there is no profile "toString"; it may be minimal, readonly, messaging, files, coding, full',
    },
    {
      name: "an unknown group",
      config: { tools: { deny: ["ls", "group:fss"] } },
      says: 'Cannot use tools.deny: there is no group "group:fss"; did you mean "group:fs"?',
    },
  ])("$name", ({ config, says }) => {
    expect(messageOf(() => checkToolPolicy(config))).toBe(says);
  });
});

function messageOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return isFault(error) ? error.message : String(error);
  }
}

it("tells of entries that mean nothing", () => {
  const config = {
    tools: { deny: ["wirte", "jira", "web_search", "x*", "bash"] },
    agents: { bob: { tools: { allow: ["???"] } } },
  };
  expect(unknownEntries(config, [...TOOLS.values()])).toEqual([
    'tools.deny: there is no tool "wirte"; did you mean "write"?',
    expect.stringMatching(/^agents\.bob\.tools\.allow: there is no tool "\?\?\?"; it may be read, write, /),
  ]);
});

it("the readonly profile has all that only reads, and nothing else", () => {
  const shown = BUILTIN_TOOLS.filter((tool) => isInProfile("readonly", tool));
  expect(shown).toEqual(BUILTIN_TOOLS.filter(({ annotations }) => annotations.readOnlyHint));
});

it("no two tools have one place in the order", () => {
  const orders = BUILTIN_TOOLS.map(({ catalogue }) => catalogue.order);
  expect(new Set(orders).size).toBe(orders.length);
});
