import type { ToolPolicyConfig, ToolsConfig } from "../../../src/runtime/tools/config.ts";
import type { AgentContext } from "../../../src/runtime/tools/filter-steps.ts";

/** The tools shown for a configuration, and the first step that removes one. Names are separated by spaces. */
export interface Row {
  readonly name: string;
  readonly config?: ToolPolicyConfig;
  readonly agentContext?: AgentContext;
  readonly shown?: string;
  readonly hidden?: Readonly<Record<string, string>>;
}

const FILES = "read write edit apply_patch grep find ls tree stat mkdir move copy delete restore undo history watch";
const SESSIONS = "sessions_list sessions_history sessions_send sessions_spawn subagents session";
const NATIVE = `${SESSIONS} browser canvas nodes message agents_list memory_search memory_get web_search web_fetch image`;

const tools = (config: ToolsConfig): ToolPolicyConfig => ({ tools: config });
const bob = (config: NonNullable<ToolPolicyConfig["agents"]>[string]["tools"]): ToolPolicyConfig["agents"] => ({
  bob: { tools: config },
});
const BOB: AgentContext = { agent: "bob" };
const GPT: AgentContext = { provider: "openai", model: "gpt-5.2" };
const OWNER: AgentContext = { isOwner: true };

const PROFILE_ROWS: readonly Row[] = [
  { name: "commands that nobody switched on", config: tools({ exec: {} }), hidden: { exec: "exec process" } },
  {
    name: "commands that were switched off",
    config: tools({ exec: { security: "deny", host: "sandbox" } }),
    hidden: { exec: "exec process" },
  },
  { name: "commands with a sandbox", config: tools({ exec: { sandbox: {} } }), shown: "exec process" },
  {
    name: "commands of one agent",
    config: { ...tools({ exec: {} }), agents: bob({ exec: { security: "full" } }) },
    agentContext: { agent: "bob" },
    shown: "exec process",
  },
  {
    name: "a workspace that commands only read",
    config: tools({ exec: { sandbox: { workspace: "ro" } } }),
    shown: "exec process read",
    hidden: { exec: "write edit apply_patch" },
  },
  { name: "nothing said: everything but what is the owner's", shown: `${FILES} ${NATIVE} exec process jira_search` },
  {
    name: "minimal",
    config: tools({ profile: "minimal" }),
    shown: "session",
    hidden: { "global profile": `${FILES} exec message` },
  },
  {
    name: "readonly",
    config: tools({ profile: "readonly" }),
    shown: "read grep find ls tree stat history watch session",
    hidden: { "global profile": "write edit apply_patch mkdir move copy delete restore undo exec" },
  },
  {
    name: "files",
    config: tools({ profile: "files" }),
    shown: `${FILES} session`,
    hidden: { "global profile": "exec process web_fetch message image jira_search" },
  },
  {
    name: "coding",
    config: tools({ profile: "coding" }),
    shown: `${FILES} exec process ${SESSIONS} memory_search memory_get image`,
    hidden: { "global profile": "web_search web_fetch browser canvas nodes message agents_list jira_post" },
  },
  {
    name: "messaging",
    config: tools({ profile: "messaging" }),
    shown: "message sessions_list sessions_history sessions_send session",
    hidden: { "global profile": "sessions_spawn subagents read exec" },
  },
  { name: "full", config: tools({ profile: "full" }), shown: `${FILES} ${NATIVE} exec process jira_search jira_post` },
  {
    name: "a profile and one tool more",
    config: tools({ profile: "minimal", alsoAllow: ["read"] }),
    shown: "session read",
    hidden: { "global profile": "write" },
  },
  {
    name: "a profile and a group more",
    config: tools({ profile: "files", alsoAllow: ["group:web"] }),
    shown: "read web_search web_fetch",
    hidden: { "global profile": "exec" },
  },
  {
    name: "a profile and a plugin more",
    config: tools({ profile: "files", alsoAllow: ["jira"] }),
    shown: "read jira_search jira_post",
    hidden: { "global profile": "exec wiki_read" },
  },
  { name: "an optional tool nobody asks for", shown: "wiki_read read", hidden: { optional: "wiki_write" } },
  {
    name: "an optional tool and a glob",
    config: tools({ profile: "full", alsoAllow: ["wiki_*"] }),
    shown: "wiki_read",
    hidden: { optional: "wiki_write" },
  },
  { name: "an optional tool by its name", config: tools({ alsoAllow: ["wiki_write"] }), shown: "wiki_write read" },
  { name: "an optional tool by its plugin", config: tools({ alsoAllow: ["wiki"] }), shown: "wiki_write read" },
  { name: "an optional tool by the group", config: tools({ alsoAllow: ["group:plugins"] }), shown: "wiki_write read" },
  {
    name: "an optional tool on the list",
    config: tools({ allow: ["read", "wiki_write"] }),
    shown: "wiki_write read",
    hidden: { "global lists": "wiki_read" },
  },
  {
    name: "an optional tool beside the list",
    config: tools({ allow: ["read"] }),
    shown: "read",
    hidden: { optional: "wiki_write" },
  },
  {
    name: "an optional tool for one agent",
    config: { agents: { bob: { tools: { alsoAllow: ["wiki"] } } } },
    agentContext: { agent: "bob" },
    shown: "wiki_write",
  },
  {
    name: "an optional tool for one model",
    config: tools({ byProvider: { openai: { alsoAllow: ["wiki"] } } }),
    agentContext: { provider: "openai" },
    shown: "wiki_write",
  },
  { name: "more without a profile means all", config: tools({ alsoAllow: ["read"] }), shown: "read write exec" },
  {
    name: "deny wins over what is added to a profile",
    config: tools({ profile: "minimal", alsoAllow: ["read"], deny: ["read"] }),
    hidden: { "global lists": "read", "global profile": "write" },
  },
  {
    name: "an agent's profile replaces the global one",
    config: { tools: { profile: "minimal" }, agents: bob({ profile: "files" }) },
    agentContext: BOB,
    shown: "read write",
    hidden: { "global profile": "exec" },
  },
  {
    name: "another agent keeps the global one",
    config: { tools: { profile: "minimal" }, agents: bob({ profile: "files" }) },
    agentContext: { agent: "eve" },
    hidden: { "global profile": "read" },
  },
  {
    name: "an agent adds to the global profile",
    config: { tools: { profile: "minimal" }, agents: bob({ alsoAllow: ["read"] }) },
    agentContext: BOB,
    shown: "session read",
    hidden: { "global profile": "write" },
  },
  {
    name: "what an agent adds replaces what is added for all",
    config: { tools: { profile: "minimal", alsoAllow: ["ls"] }, agents: bob({ alsoAllow: ["read"] }) },
    agentContext: BOB,
    shown: "read",
    hidden: { "global profile": "ls" },
  },
  {
    name: "a profile and a list both filter",
    config: tools({ profile: "files", allow: ["read", "exec"] }),
    shown: "read",
    hidden: { "global profile": "exec", "global lists": "write" },
  },
];

const PROVIDER_ROWS: readonly Row[] = [
  {
    name: "a provider's profile",
    config: tools({ byProvider: { openai: { profile: "files" } } }),
    agentContext: GPT,
    shown: "read",
    hidden: { "provider profile": "exec" },
  },
  {
    name: "not for another provider",
    config: tools({ byProvider: { openai: { profile: "files" } } }),
    agentContext: { provider: "google" },
    shown: "read exec",
  },
  {
    name: "not for an unknown provider",
    config: tools({ byProvider: { openai: { profile: "files" } } }),
    shown: "exec",
  },
  {
    name: "both profiles filter",
    config: tools({ profile: "coding", byProvider: { openai: { profile: "readonly" } } }),
    agentContext: GPT,
    shown: "read",
    hidden: { "provider profile": "write", "global profile": "web_fetch" },
  },
  {
    name: "a model before its provider",
    config: tools({ byProvider: { openai: { profile: "minimal" }, "openai/gpt-5.2": { profile: "files" } } }),
    agentContext: GPT,
    shown: "read write",
    hidden: { "provider profile": "exec" },
  },
  {
    name: "another model of that provider",
    config: tools({ byProvider: { openai: { profile: "minimal" }, "openai/gpt-5.2": { profile: "files" } } }),
    agentContext: { provider: "openai", model: "gpt-4" },
    hidden: { "provider profile": "read" },
  },
  {
    name: "a model that names its provider itself",
    config: tools({ byProvider: { "openai/gpt-5.2": { deny: ["exec"] } } }),
    agentContext: { model: "openai/gpt-5.2" },
    shown: "read",
    hidden: { "provider lists": "exec" },
  },
  {
    name: "the provider of a model that names it itself",
    config: tools({ byProvider: { openai: { deny: ["exec"] } } }),
    agentContext: { model: "openai/gpt-5.2" },
    hidden: { "provider lists": "exec" },
  },
  {
    name: "a model with slashes in its name",
    config: tools({ byProvider: { "router/meta/llama": { deny: ["exec"] } } }),
    agentContext: { model: "router/meta/llama" },
    hidden: { "provider lists": "exec" },
  },
  {
    name: "in any casing",
    config: tools({ byProvider: { " OpenAI ": { deny: ["exec"] } } }),
    agentContext: { provider: "OPENAI" },
    hidden: { "provider lists": "exec" },
  },
  {
    name: "a provider's profile and more",
    config: tools({ byProvider: { openai: { profile: "minimal", alsoAllow: ["read"] } } }),
    agentContext: GPT,
    shown: "session read",
    hidden: { "provider profile": "write" },
  },
  {
    name: "a provider's allow",
    config: tools({ byProvider: { openai: { allow: ["read"] } } }),
    agentContext: GPT,
    shown: "read",
    hidden: { "provider lists": "write session" },
  },
  {
    name: "a provider's deny",
    config: tools({ byProvider: { openai: { deny: ["group:fs"] } } }),
    agentContext: GPT,
    shown: "session exec",
    hidden: { "provider lists": FILES },
  },
  {
    name: "a provider cannot widen",
    config: tools({ allow: ["read"], byProvider: { openai: { allow: ["read", "write"] } } }),
    agentContext: GPT,
    shown: "read",
    hidden: { "global lists": "write" },
  },
  {
    name: "an agent's profile for a provider replaces the global one",
    config: {
      tools: { byProvider: { openai: { profile: "minimal" } } },
      agents: bob({ byProvider: { openai: { profile: "files" } } }),
    },
    agentContext: { ...BOB, ...GPT },
    shown: "read write",
    hidden: { "provider profile": "exec" },
  },
  {
    name: "an agent's list for a provider",
    config: { agents: bob({ byProvider: { openai: { allow: ["read", "ls"] } } }) },
    agentContext: { ...BOB, ...GPT },
    shown: "read ls",
    hidden: { "agent and provider lists": "write" },
  },
  {
    name: "an agent's deny for a model",
    config: { agents: bob({ byProvider: { "openai/gpt-5.2": { deny: ["ls"] } } }) },
    agentContext: { ...BOB, ...GPT },
    shown: "read",
    hidden: { "agent and provider lists": "ls" },
  },
  {
    name: "not for another agent",
    config: { agents: bob({ byProvider: { openai: { deny: ["ls"] } } }) },
    agentContext: { agent: "eve", ...GPT },
    shown: "ls",
  },
  {
    name: "not for another provider of that agent",
    config: { agents: bob({ byProvider: { openai: { deny: ["ls"] } } }) },
    agentContext: { ...BOB, provider: "google" },
    shown: "ls",
  },
];

const LIST_ROWS: readonly Row[] = [
  {
    name: "allow",
    config: tools({ allow: ["read", "ls"] }),
    shown: "read ls",
    hidden: { "global lists": "write exec session" },
  },
  { name: "an empty allow means all", config: tools({ allow: [] }), shown: "read write exec" },
  { name: "deny", config: tools({ deny: ["write"] }), shown: "read edit", hidden: { "global lists": "write" } },
  {
    name: "deny wins over allow",
    config: tools({ allow: ["read", "write"], deny: ["write"] }),
    shown: "read",
    hidden: { "global lists": "write" },
  },
  {
    name: "an allow that means nothing shows nothing",
    config: tools({ allow: ["raed"] }),
    hidden: { "global lists": "read write session" },
  },
  {
    name: "an agent's allow",
    config: { agents: bob({ allow: ["read"] }) },
    agentContext: BOB,
    shown: "read",
    hidden: { "agent lists": "write" },
  },
  {
    name: "an agent's deny",
    config: { agents: bob({ deny: ["read"] }) },
    agentContext: BOB,
    shown: "write",
    hidden: { "agent lists": "read" },
  },
  {
    name: "an agent cannot widen",
    config: { tools: { deny: ["exec"] }, agents: bob({ allow: ["exec", "read"] }) },
    agentContext: BOB,
    shown: "read",
    hidden: { "global lists": "exec" },
  },
  {
    name: "an agent that nobody speaks of",
    config: { agents: bob({ allow: ["read"] }) },
    agentContext: { agent: "eve" },
    shown: "write",
  },
  {
    name: "an agent named like something every object has",
    config: { agents: bob({ allow: ["read"] }) },
    agentContext: { agent: "constructor" },
    shown: "write",
  },
  {
    name: "a group's allow",
    config: { groups: { family: { tools: { allow: ["read"] } } } },
    agentContext: { group: "family" },
    shown: "read",
    hidden: { "group lists": "write" },
  },
  {
    name: "a group's deny",
    config: { groups: { family: { tools: { deny: ["group:runtime"] } } } },
    agentContext: { group: "family" },
    shown: "read",
    hidden: { "group lists": "exec process" },
  },
  {
    name: "another group",
    config: { groups: { family: { tools: { deny: ["exec"] } } } },
    agentContext: { group: "work" },
    shown: "exec",
  },
  {
    name: "all groups",
    config: { groups: { "*": { tools: { deny: ["exec"] } } } },
    agentContext: { group: "work" },
    shown: "read",
    hidden: { "group lists": "exec" },
  },
  {
    name: "a group with an entry of its own is not one of all the others",
    config: { groups: { "*": { tools: { deny: ["exec"] } }, work: { tools: { deny: ["write"] } } } },
    agentContext: { group: "work" },
    shown: "exec",
    hidden: { "group lists": "write" },
  },
  {
    name: "an entry without lists says nothing: then what is said of all holds",
    config: { groups: { "*": { tools: { deny: ["exec"] } }, work: {} } },
    agentContext: { group: "work" },
    hidden: { "group lists": "exec" },
  },
  {
    name: "who talks in no group",
    config: { groups: { "*": { tools: { deny: ["exec"] } } } },
    shown: "exec",
  },
  {
    name: "a group whose name is written in another case",
    config: { groups: { Family: { tools: { deny: ["exec"] } } } },
    agentContext: { group: "family" },
    hidden: { "group lists": "exec" },
  },
  {
    name: "all agents",
    config: { agents: { "*": { tools: { deny: ["exec"] } } } },
    agentContext: BOB,
    hidden: { "agent lists": "exec" },
  },
  {
    name: "all agents, also one that nobody has named",
    config: { agents: { "*": { tools: { deny: ["exec"] } } } },
    hidden: { "agent lists": "exec" },
  },
  {
    name: "all providers",
    config: { tools: { byProvider: { "*": { deny: ["exec"] }, openai: { deny: ["write"] } } } },
    agentContext: { provider: "google" },
    shown: "write",
    hidden: { "provider lists": "exec" },
  },
  {
    name: "a model that nobody has named is one of all providers",
    config: { tools: { byProvider: { "*": { deny: ["exec"] } } } },
    hidden: { "provider lists": "exec" },
  },
  {
    name: "an agent without apply_patch",
    config: { agents: bob({ exec: { applyPatch: { enabled: false } } }) },
    agentContext: BOB,
    shown: "edit",
    hidden: { apply_patch: "apply_patch" },
  },
  {
    name: "every scope filters what is left",
    config: {
      tools: { deny: ["ls"], byProvider: { openai: { deny: ["tree"] } } },
      agents: bob({ deny: ["stat"], byProvider: { openai: { deny: ["find"] } } }),
      groups: { family: { tools: { deny: ["grep"] } } },
    },
    agentContext: { ...BOB, ...GPT, group: "family" },
    shown: "read write",
    hidden: {
      "global lists": "ls",
      "provider lists": "tree",
      "agent lists": "stat",
      "agent and provider lists": "find",
      "group lists": "grep",
    },
  },
];

const deny = (entry: string, hidden: string, shown: string): Row => ({
  name: `deny ${JSON.stringify(entry)}`,
  config: tools({ deny: [entry] }),
  shown,
  hidden: { "global lists": hidden },
});

const ENTRY_ROWS: readonly Row[] = [
  deny("group:fs", FILES, "exec session image"),
  deny("group:runtime", "exec process", "read session"),
  deny("group:web", "web_search web_fetch", "read browser"),
  deny("group:memory", "memory_search memory_get", "read"),
  deny("group:sessions", SESSIONS, "read agents_list"),
  deny("group:ui", "browser canvas", "read image"),
  deny("group:messaging", "message", "read sessions_send"),
  deny("group:nodes", "nodes", "read"),
  deny("group:agents", "agents_list", "read subagents"),
  deny("group:media", "image", "read"),
  deny("group:openclaw", NATIVE, `${FILES} exec process jira_search`),
  deny("group:plugins", "jira_search jira_post wiki_read", "read exec image"),
  deny("jira", "jira_search jira_post", "wiki_read read"),
  deny("jira_*", "jira_search jira_post", "wiki_read read"),
  deny("*_search", "jira_search memory_search web_search", "web_fetch read"),
  deny("*", `${FILES} ${NATIVE} exec`, ""),
  deny("re*", "read restore", "grep tree write"),
  deny("*e*c*", "exec web_search memory_search jira_search", "process edit ls"),
  deny("m*y_*t", "memory_get", "memory_search message"),
  deny("bash", "exec", "process read"),
  deny("apply-patch", "apply_patch", "edit"),
  deny("session_status", "session", "sessions_list"),
  deny("glob", "find", "grep"),
  deny("list", "ls", "tree"),
  deny("  WRITE ", "write", "edit"),
  deny("Group:Runtime", "exec process", "read"),
  deny("Bash", "exec", "process"),
  deny("rea", "", "read"),
  deny("read.*", "", "read"),
  deny("r?ad", "", "read"),
  deny("", "", "read write"),
];

const OWNER_ROWS: readonly Row[] = [
  {
    name: "unknown is not the owner",
    hidden: { owner: "cron gateway whatsapp_login secret_keys" },
    shown: "read nodes",
  },
  {
    name: "somebody else is not the owner",
    agentContext: { isOwner: false },
    hidden: { owner: "cron gateway whatsapp_login secret_keys" },
  },
  { name: "the owner", agentContext: OWNER, shown: "cron gateway whatsapp_login secret_keys read" },
  { name: "allowed by name, but not the owner", config: tools({ allow: ["cron"] }), hidden: { owner: "cron" } },
  {
    name: "group:automation, for the owner",
    config: tools({ allow: ["group:automation"] }),
    agentContext: OWNER,
    shown: "cron gateway",
    hidden: { "global lists": "read whatsapp_login" },
  },
  {
    name: "deny group:automation, for the owner",
    config: tools({ deny: ["group:automation"] }),
    agentContext: OWNER,
    shown: "whatsapp_login",
    hidden: { "global lists": "cron gateway" },
  },
];

const patch = (applyPatch: object, more: ToolsConfig = {}): ToolPolicyConfig =>
  tools({ ...more, exec: { applyPatch } });

const GATE_ROWS: readonly Row[] = [
  {
    name: "read-only",
    config: { readOnly: true },
    shown: "read ls session",
    hidden: { "read-only": "write edit delete exec" },
  },
  { name: "not read-only", config: { readOnly: false }, shown: "write" },
  {
    name: "read-only, and a profile",
    config: { readOnly: true, tools: { profile: "minimal" } },
    shown: "session",
    hidden: { "read-only": "write", "global profile": "read" },
  },
  { name: "apply_patch for everybody", config: patch({ enabled: true }), shown: "apply_patch" },
  {
    name: "apply_patch switched off",
    config: patch({ enabled: false }),
    shown: "edit",
    hidden: { apply_patch: "apply_patch" },
  },
  {
    name: "apply_patch for a model",
    config: patch({ allowModels: ["gpt-5.2"] }),
    agentContext: GPT,
    shown: "apply_patch",
  },
  {
    name: "apply_patch for a model of a provider",
    config: patch({ allowModels: ["OpenAI/GPT-5.2"] }),
    agentContext: GPT,
    shown: "apply_patch",
  },
  {
    name: "apply_patch for a model that names its provider itself",
    config: patch({ allowModels: ["gpt-5.2"] }),
    agentContext: { model: "openai/gpt-5.2" },
    shown: "apply_patch",
  },
  {
    name: "apply_patch for the model of another provider",
    config: patch({ allowModels: ["azure/gpt-5.2"] }),
    agentContext: GPT,
    shown: "edit",
    hidden: { apply_patch: "apply_patch" },
  },
  {
    name: "apply_patch for another model",
    config: patch({ allowModels: ["gpt-4"] }),
    agentContext: GPT,
    hidden: { apply_patch: "apply_patch" },
  },
  {
    name: "apply_patch for models, and none is known",
    config: patch({ allowModels: ["gpt-5.2"] }),
    hidden: { apply_patch: "apply_patch" },
  },
  { name: "apply_patch for no model in particular", config: patch({ allowModels: [] }), shown: "apply_patch" },
  {
    name: "apply_patch beyond a workspace",
    config: patch({}, { fs: { workspaceOnly: false } }),
    shown: "edit",
    hidden: { apply_patch: "apply_patch" },
  },
  {
    name: "apply_patch beyond a workspace, as wanted",
    config: patch({ workspaceOnly: false }, { fs: { workspaceOnly: false } }),
    shown: "apply_patch",
  },
  { name: "apply_patch in a workspace", config: patch({ workspaceOnly: true }), shown: "apply_patch" },
  {
    name: "apply_patch off, denied and outside the profile",
    config: patch({ enabled: false }, { profile: "minimal", deny: ["group:fs"] }),
    hidden: { apply_patch: "apply_patch" },
  },
];

const BOX: AgentContext = { isSandboxed: true };
const box = (lists: object): ToolPolicyConfig => tools({ sandbox: { tools: lists } });

const SANDBOX_ROWS: readonly Row[] = [
  {
    name: "in a sandbox",
    agentContext: BOX,
    shown: `${FILES} ${SESSIONS} exec process image`,
    hidden: { sandbox: "browser canvas nodes web_fetch message jira_search" },
  },
  {
    name: "in a sandbox, the owner",
    agentContext: { ...BOX, ...OWNER },
    shown: "read",
    hidden: { sandbox: "cron gateway" },
  },
  {
    name: "in a sandbox with a list of its own",
    config: box({ allow: ["read"] }),
    agentContext: BOX,
    shown: "read",
    hidden: { sandbox: "write exec" },
  },
  {
    name: "in a sandbox with one more",
    config: box({ alsoAllow: ["web_fetch"] }),
    agentContext: BOX,
    shown: "read web_fetch",
    hidden: { sandbox: "web_search" },
  },
  {
    name: "in a sandbox without one",
    config: box({ deny: ["exec"] }),
    agentContext: BOX,
    shown: "read process",
    hidden: { sandbox: "exec" },
  },
  {
    name: "in a sandbox everything, but not what steers the host",
    config: box({ allow: ["*"] }),
    agentContext: BOX,
    shown: "read web_fetch",
    hidden: { sandbox: "browser nodes" },
  },
  {
    name: "in a sandbox also what steers the host, by name",
    config: box({ alsoAllow: ["browser"] }),
    agentContext: BOX,
    shown: "browser",
    hidden: { sandbox: "canvas" },
  },
  {
    name: "in a sandbox with a deny of its own",
    config: box({ allow: [], deny: ["exec"] }),
    agentContext: BOX,
    shown: "browser read",
    hidden: { sandbox: "exec" },
  },
  {
    name: "in a sandbox everything, by an empty list",
    config: box({ allow: [] }),
    agentContext: BOX,
    shown: "read web_fetch",
    hidden: { sandbox: "browser" },
  },
  { name: "lists for sandboxes, outside of one", config: box({ allow: ["read"] }), shown: "write" },
];

const SUB: AgentContext = { depth: 1 };
const sub = (lists: object, more: object = {}): ToolPolicyConfig => tools({ subagents: { tools: lists, ...more } });

const DEPTH_ROWS: readonly Row[] = [
  { name: "the agent itself", agentContext: { depth: 0 }, shown: "read write exec session" },
  {
    name: "a sub-agent",
    agentContext: SUB,
    shown: "read grep find ls",
    hidden: {
      "sub-agent": "write edit apply_patch tree stat exec session sessions_list sessions_spawn memory_get jira_search",
    },
  },
  {
    name: "a sub-agent of a sub-agent",
    agentContext: { depth: 2 },
    shown: "read grep find ls",
    hidden: { "sub-agent": "write sessions_list" },
  },
  {
    name: "a sub-agent that may have its own",
    config: sub({}, { maxSpawnDepth: 2 }),
    agentContext: SUB,
    shown: "read sessions_list sessions_history sessions_spawn",
    hidden: { "sub-agent": "sessions_send subagents write" },
  },
  {
    name: "the deepest of them",
    config: sub({}, { maxSpawnDepth: 2 }),
    agentContext: { depth: 2 },
    shown: "read",
    hidden: { "sub-agent": "sessions_list sessions_spawn" },
  },
  {
    name: "a sub-agent with one more",
    config: sub({ alsoAllow: ["write"] }),
    agentContext: SUB,
    shown: "read write",
    hidden: { "sub-agent": "edit" },
  },
  {
    name: "a sub-agent with a list of its own",
    config: sub({ allow: ["write"] }),
    agentContext: SUB,
    shown: "write",
    hidden: { "sub-agent": "read" },
  },
  {
    name: "a sub-agent with everything",
    config: sub({ allow: ["*"] }),
    agentContext: SUB,
    shown: "read write exec session",
  },
  {
    name: "a sub-agent without one",
    config: sub({ deny: ["grep"] }),
    agentContext: SUB,
    shown: "read",
    hidden: { "sub-agent": "grep" },
  },
  {
    name: "a sub-agent's deny wins",
    config: sub({ alsoAllow: ["write"], deny: ["group:fs"] }),
    agentContext: SUB,
    hidden: { "sub-agent": "write read" },
  },
  {
    name: "a sub-agent cannot have what nobody has",
    config: { tools: { deny: ["write"], subagents: { tools: { alsoAllow: ["write"] } } } },
    agentContext: SUB,
    shown: "read",
    hidden: { "global lists": "write" },
  },
  {
    name: "a sub-agent in a sandbox, of bob, with a model",
    config: { tools: { byProvider: { openai: { deny: ["ls"] } } }, agents: bob({ deny: ["find"] }) },
    agentContext: { ...SUB, ...BOX, ...BOB, ...GPT },
    shown: "read grep",
    hidden: { "provider lists": "ls", "agent lists": "find", sandbox: "web_fetch", "sub-agent": "write" },
  },
];

export const ROWS: readonly Row[] = [
  ...PROFILE_ROWS,
  ...PROVIDER_ROWS,
  ...LIST_ROWS,
  ...ENTRY_ROWS,
  ...OWNER_ROWS,
  ...GATE_ROWS,
  ...SANDBOX_ROWS,
  ...DEPTH_ROWS,
];
