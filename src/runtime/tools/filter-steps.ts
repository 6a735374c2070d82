import { OWNER_ONLY, type ProfileName, SANDBOX_ALLOW, SANDBOX_DENY, SPAWN_DEPTH, SPAWNER_ALLOW } from "./profiles.ts";
import type { ImageLimits } from "../../base/image-limits.ts";
import {
  type ApplyPatchConfig,
  type ConfigKeyPath,
  type ExecConfig,
  type ImageLimitsConfig,
  isExecOn,
  type ProvidedScope,
  type ToolLists,
  type ToolPolicyConfig,
  type ToolScope,
} from "./config.ts";
import { matchesTool } from "./match-tool.ts";
import { byLists, byProfile, type Filter, type ScopeWithKey, type Remedy, type Removal } from "./filters.ts";

/** Describes the agent of a session. A field that is absent gives the fewest rights: no agent of its own, no owner. */
export interface AgentContext {
  readonly agent?: string | undefined;
  /** Names the provider of the model, such as "openai". */
  readonly provider?: string | undefined;
  /** The model, with or without its provider in front: "openai/gpt-5". */
  readonly model?: string | undefined;
  /** The group chat that the agent is in. */
  readonly group?: string | undefined;
  readonly isOwner?: boolean | undefined;
  /** Names who sent the request that the agent works on: an account of a messaging provider. */
  readonly sender?: { readonly provider: string; readonly id: string } | undefined;
  readonly isSandboxed?: boolean | undefined;
  /** Is true if its commands run in a container of the program: then it has them although it may change no file. */
  readonly runsInContainer?: boolean | undefined;
  /** 0 is the agent itself, 1 a sub-agent, 2 a sub-agent of that. */
  readonly depth?: number | undefined;
}

export interface FilterStep {
  readonly name: string;
  /** Returns the filter for such a session; undefined when the configuration has none. */
  filterFor(config: ToolPolicyConfig, agentContext: AgentContext): Filter | undefined;
}

/** Lists the filters that a tool must pass to be shown: five conditions, then nine scopes from wide to narrow. */
export const FILTER_STEPS: readonly FilterStep[] = [
  { name: "read-only", filterFor: readOnlyFilter },
  { name: "apply_patch", filterFor: applyPatchFilter },
  { name: "exec", filterFor: execFilter },
  { name: "owner", filterFor: ownerFilter },
  { name: "optional", filterFor: optionalFilter },
  { name: "global profile", filterFor: (config, agentContext) => byProfile(profileScopes(config, agentContext)) },
  {
    name: "provider profile",
    filterFor: (config, agentContext) =>
      byProfile(profileScopes(config, agentContext).flatMap((scope) => providerIn(scope, agentContext))),
  },
  { name: "global lists", filterFor: (config) => byLists(toolsOf(config)) },
  {
    name: "provider lists",
    filterFor: (config, agentContext) => filterByLists(providerIn(toolsOf(config), agentContext)),
  },
  { name: "agent lists", filterFor: (config, agentContext) => filterByLists(agentOf(config, agentContext)) },
  {
    name: "agent and provider lists",
    filterFor: (config, agentContext) =>
      filterByLists(agentOf(config, agentContext).flatMap((scope) => providerIn(scope, agentContext))),
  },
  { name: "group lists", filterFor: (config, agentContext) => filterByLists(groupOf(config, agentContext)) },
  { name: "sandbox", filterFor: sandboxFilter },
  { name: "sub-agent", filterFor: subAgentFilter },
];

function readOnlyFilter(config: ToolPolicyConfig, { runsInContainer = false }: AgentContext): Filter | undefined {
  if (config.readOnly !== true) return undefined;
  const removal = unlessSet(["readOnly"], false, "nothing can be changed in this session");
  const isElsewhere = (name: string): boolean => runsInContainer && RUNNING.includes(name);
  return ({ annotations, name }) => (annotations.readOnlyHint || isElsewhere(name) ? undefined : removal);
}

/** Filters `apply_patch`, the only tool with conditions of its own. */
function applyPatchFilter(config: ToolPolicyConfig, agentContext: AgentContext): Filter | undefined {
  const scopes = [...agentOf(config, agentContext), toolsOf(config)];
  const configured = scopes.find(({ scope }) => scope.exec?.applyPatch !== undefined) ?? toolsOf(config);
  const isConfined = scopes.find(({ scope }) => scope.fs !== undefined)?.scope.fs?.workspaceOnly !== false;
  const removal = patchRemoval(configured, isConfined, modelNames(agentContext));
  return removal && (({ name }) => (name === "apply_patch" ? removal : undefined));
}

function patchRemoval(
  { key: at, scope }: ScopeWithKey<ProvidedScope>,
  isConfined: boolean,
  models: readonly string[],
): Removal | undefined {
  const { enabled, workspaceOnly, allowModels = [] } = scope.exec?.applyPatch ?? {};
  const keyOf = (name: keyof ApplyPatchConfig): ConfigKeyPath => [...at, "exec", "applyPatch", name];
  if (enabled === false) return unlessSet(keyOf("enabled"), true, "it is switched off");
  if (!isConfined && workspaceOnly !== false)
    return unlessSet(keyOf("workspaceOnly"), false, "it is for files of a workspace only");
  if (allowModels.length === 0 || allowModels.some((each) => models.includes(caseFolded(each)))) return undefined;
  const key = keyOf("allowModels");
  const [entry] = models;
  const remedy: Remedy = entry === undefined ? NAME_MODEL : { kind: "add", key, entry };
  return { reason: `it is not for ${entry ?? "a model without a name"}`, key, remedy };
}

const NAME_MODEL: Remedy = { kind: "agentContext", says: "say which model this session is for" };

/** Hides commands unless they were switched on, and tools that change files from sessions whose sandbox is read-only. */
function execFilter(config: ToolPolicyConfig, agentContext: AgentContext): Filter | undefined {
  const exec = execConfigOf(config, agentContext);
  const key = ["tools", "exec", "security"];
  const off: Removal = { reason: "commands are off", key, remedy: { kind: "set", key, value: "allowlist" } };
  if (!isExecOn(exec)) return ({ name }) => (RUNNING.includes(name) ? off : undefined);
  if (exec.sandbox?.workspace !== "ro") return undefined;
  const at = ["tools", "exec", "sandbox", "workspace"];
  const removal: Removal = {
    reason: "the sandbox is read-only",
    key: at,
    remedy: { kind: "set", key: at, value: "rw" },
  };
  return ({ name }) => (WRITING.includes(name) ? removal : undefined);
}

const RUNNING = ["exec", "process"];
const WRITING = ["write", "edit", "apply_patch"];

/** Merges the settings for commands, key by key: those of the session override the agent's, and these the global ones. */
export function execConfigOf(config: ToolPolicyConfig, agentContext: AgentContext): ExecConfig {
  const [agent] = agentOf(config, agentContext);
  const layers = [config.tools?.exec, agent?.scope.exec, config.exec].filter((each) => each !== undefined);
  const sandboxes = layers.flatMap(({ sandbox }) => sandbox ?? []);
  return Object.assign({}, ...layers, sandboxes.length > 0 && { sandbox: Object.assign({}, ...sandboxes) });
}

function ownerFilter(_: ToolPolicyConfig, { isOwner }: AgentContext): Filter | undefined {
  if (isOwner === true) return undefined;
  return ({ name, ownerOnly }) => (ownerOnly || OWNER_ONLY.includes(name) ? FOR_OWNERS : undefined);
}

const FOR_OWNERS: Removal = {
  reason: "it is for the owner only",
  key: [],
  remedy: { kind: "agentContext", says: "have the owner ask for it" },
};

/** Hides optional tools unless a list names them, their plugin or `group:plugins`. A glob does not name them. */
function optionalFilter(config: ToolPolicyConfig, agentContext: AgentContext): Filter {
  const scopes = profileScopes(config, agentContext).flatMap((scope) => [scope, ...providerIn(scope, agentContext)]);
  const named = scopes
    .flatMap(({ scope }) => [...(scope.allow ?? []), ...(scope.alsoAllow ?? [])])
    .filter((entry) => !entry.includes("*"));
  const key = ["tools", config.tools?.allow?.length ? "allow" : "alsoAllow"];
  return (tool) => {
    if (!tool.optional || named.some((entry) => matchesTool(entry, tool))) return undefined;
    const remedy: Remedy = { kind: "add", key, entry: tool.name };
    return { reason: "it is optional and no list names it", key, remedy };
  };
}

function sandboxFilter({ tools }: ToolPolicyConfig, { isSandboxed }: AgentContext): Filter | undefined {
  if (isSandboxed !== true) return undefined;
  const scope = tools?.sandbox?.tools ?? {};
  return byLists(
    { key: ["tools", "sandbox", "tools"], scope },
    {
      sessions: "sessions in a sandbox",
      allows: (tool) => SANDBOX_ALLOW.some((entry) => matchesTool(entry, tool)),
      deny: SANDBOX_DENY,
    },
  );
}

function subAgentFilter({ tools }: ToolPolicyConfig, { depth = 0 }: AgentContext): Filter | undefined {
  if (depth <= 0) return undefined;
  const { tools: scope = {}, maxSpawnDepth = SPAWN_DEPTH } = tools?.subagents ?? {};
  const more = depth < maxSpawnDepth ? SPAWNER_ALLOW : [];
  return byLists(
    { key: ["tools", "subagents", "tools"], scope },
    {
      sessions: "sub-agents",
      allows: (tool) => tool.catalogue?.subAgent === true || more.includes(tool.name),
      deny: [],
    },
  );
}

const unlessSet = (key: ConfigKeyPath, value: boolean, reason: string): Removal => ({
  reason,
  key,
  remedy: { kind: "set", key, value },
});

/** Returns the limits of images: those for the model or its provider replace the common ones, key by key. */
export function imageLimitsOf({ tools }: ToolPolicyConfig, agentContext: AgentContext): Partial<ImageLimits> {
  const { byProvider = {}, ...common } = tools?.images ?? {};
  const [, own] = entryFor(Object.entries(byProvider), providerNames(agentContext)) ?? [];
  return definedOnly({ ...common, ...(own && definedOnly(own)) });
}

/** Leaves out keys without a value, which would hide defaults. */
const definedOnly = (limits: ImageLimitsConfig): Partial<ImageLimits> =>
  Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));

/** Returns the profile of a session. The profile of its agent replaces the global one. */
export const profileOf = (config: ToolPolicyConfig, agentContext: AgentContext): ProfileName =>
  profileScopes(config, agentContext).find(({ scope }) => scope.profile !== undefined)?.scope.profile ?? "full";

const profileScopes = (
  config: ToolPolicyConfig,
  agentContext: AgentContext,
): readonly ScopeWithKey<ProvidedScope>[] => [...agentOf(config, agentContext), toolsOf(config)];

const toolsOf = ({ tools = {} }: ToolPolicyConfig): ScopeWithKey<ProvidedScope> => ({
  key: ["tools"],
  scope: tools,
});

/** Returns the lists of the session's agent; those of "*" where no agent is named. */
const agentOf = ({ agents }: ToolPolicyConfig, { agent = ANY }: AgentContext): readonly ScopeWithKey<ProvidedScope>[] =>
  toolsWithin("agents", agents, agent);

/** Returns the lists of the session's group chat; none outside a group. */
const groupOf = ({ groups }: ToolPolicyConfig, { group }: AgentContext): readonly ScopeWithKey<ToolLists>[] =>
  group === undefined ? [] : toolsWithin("groups", groups, group);

/** Stands for every id that has no entry of its own. */
const ANY = "*";

/** Returns the scope of this id, or else that of "*"; a list of at most one. */
function toolsWithin<Scope>(
  section: string,
  entries: Readonly<Record<string, { readonly tools?: Scope | undefined }>> = {},
  id: string,
): readonly ScopeWithKey<Scope>[] {
  const found = entryFor(
    Object.entries(entries).filter(([, { tools }]) => tools !== undefined),
    [id],
  );
  return found?.[1].tools === undefined ? [] : [{ key: [section, found[0], "tools"], scope: found[1].tools }];
}

/** Returns the entry for the first of these names that has one, else the entry for all. Case does not count. */
function entryFor<Entry>(
  entries: readonly (readonly [string, Entry])[],
  names: readonly string[],
): readonly [string, Entry] | undefined {
  return [...names, ANY]
    .map((name) => entries.find(([each]) => caseFolded(each) === caseFolded(name)))
    .find((entry) => entry !== undefined);
}

/** Returns the scope of the model, or else of its provider, if there is one. */
function providerIn(
  { key, scope }: ScopeWithKey<ProvidedScope>,
  agentContext: AgentContext,
): readonly ScopeWithKey<ToolScope>[] {
  const found = entryFor(Object.entries(scope.byProvider ?? {}), providerNames(agentContext));
  return found ? [{ key: [...key, "byProvider", found[0]], scope: found[1] }] : [];
}

const filterByLists = ([first]: readonly ScopeWithKey<ToolLists>[]): Filter | undefined => first && byLists(first);

const caseFolded = (name: string): string => name.trim().toLowerCase();

/** Returns the name of the model with its provider, then without. */
function modelNames({ provider, model }: AgentContext): readonly string[] {
  if (model === undefined) return [];
  const name = caseFolded(model);
  if (name.includes("/")) return [name, name.slice(name.indexOf("/") + 1)];
  return provider === undefined ? [name] : [`${caseFolded(provider)}/${name}`, name];
}

/** Returns the keys of `byProvider` that match, the more precise one first. */
function providerNames(agentContext: AgentContext): readonly string[] {
  const [full = ""] = modelNames(agentContext);
  const provider = agentContext.provider ?? (full.includes("/") ? full.slice(0, full.indexOf("/")) : undefined);
  return provider === undefined ? [] : [full, caseFolded(provider)];
}
