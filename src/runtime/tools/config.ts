import { Fault } from "../../base/errors.ts";
import { keyText } from "../../text/key-path.ts";
import { didYouMean, quotedInput } from "../../text/did-you-mean.ts";
import { FOREIGN_TOOLS, GROUPS, OWNER_ONLY, PLUGINS, type ProfileName, PROFILES } from "./profiles.ts";
import type { ExecAsk, ExecHost, ExecSecurity } from "../../base/verdicts.ts";
import { matchesTool, type NamedTool, plainName } from "./match-tool.ts";

/** Shows and hides tools by lists. Entries are names, aliases, `group:…`, ids of plugins, or globs with `*`. Deny wins; an empty allow means all. */
export interface ToolLists {
  readonly allow?: readonly string[] | undefined;
  /** Adds tools that a profile or a built-in list leaves out. Cannot be combined with `allow`. */
  readonly alsoAllow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

export interface ToolScope extends ToolLists {
  readonly profile?: ProfileName | undefined;
}

/** Holds the lists of one scope, and those for one provider: `provider/model` before `provider` before `*`. */
export interface ProvidedScope extends ToolScope {
  readonly byProvider?: Readonly<Record<string, ToolScope>> | undefined;
  readonly fs?: { readonly workspaceOnly?: boolean | undefined } | undefined;
  readonly exec?: ExecConfig | undefined;
}

/** Says whether and how commands run. They are off unless one of `security`, `host` and `sandbox` is set. */
export interface ExecConfig {
  readonly host?: ExecHost | undefined;
  readonly security?: ExecSecurity | undefined;
  readonly ask?: ExecAsk | undefined;
  readonly pathPrepend?: readonly string[] | undefined;
  readonly safeBins?: readonly string[] | undefined;
  readonly backgroundMs?: number | undefined;
  readonly timeoutSec?: number | undefined;
  readonly sandbox?: ExecSandboxConfig | undefined;
  readonly applyPatch?: ApplyPatchConfig | undefined;
}

/** Returns true where commands were switched on. */
export const isExecOn = ({ security, host, sandbox }: ExecConfig): boolean =>
  security !== "deny" && (security ?? host ?? sandbox) !== undefined;

export interface ExecSandboxConfig {
  readonly kind?: "auto" | "docker" | "bubblewrap" | "unshare" | "none" | undefined;
  readonly workspace?: "none" | "ro" | "rw" | undefined;
  readonly network?: "off" | "on" | readonly string[] | undefined;
  readonly image?: string | undefined;
  readonly memoryMb?: number | undefined;
  readonly processes?: number | undefined;
  readonly fileMb?: number | undefined;
  readonly cpuSeconds?: number | undefined;
}

/** Says which models may use `apply_patch`. Without `allowModels`, every model may. */
export interface ApplyPatchConfig {
  readonly enabled?: boolean | undefined;
  /** Shows the tool only while files are confined to a workspace. Defaults to true. */
  readonly workspaceOnly?: boolean | undefined;
  /** Names of models, with their provider or without. */
  readonly allowModels?: readonly string[] | undefined;
}

/** Adds what only one agent may have. */
export interface AgentScope extends ProvidedScope {
  readonly elevated?: ElevatedConfig | undefined;
}

/** Lets an agent ask to run commands without a sandbox, for senders by messaging provider. */
export interface ElevatedConfig {
  readonly enabled?: boolean | undefined;
  readonly allowFrom?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** Limits images as `ImageLimits` does; missing keys have their defaults. */
export interface ImageLimitsConfig {
  readonly maxDimensionPx?: number | undefined;
  readonly maxBytes?: number | undefined;
}

export interface ToolsConfig extends ProvidedScope {
  /** Limits images that `read` shows, and those in results of plugins and their servers. */
  readonly images?:
    | (ImageLimitsConfig & { readonly byProvider?: Readonly<Record<string, ImageLimitsConfig>> | undefined })
    | undefined;
  readonly sandbox?: { readonly tools?: ToolLists | undefined } | undefined;
  readonly subagents?:
    | { readonly tools?: ToolLists | undefined; readonly maxSpawnDepth?: number | undefined }
    | undefined;
}

/** The part of the configuration that decides which tools a session sees. */
export interface ToolPolicyConfig {
  /** Hides every tool that changes files. */
  readonly readOnly?: boolean | undefined;
  /** Overrides `exec` of all tools and agents, key by key: it was chosen for this session. */
  readonly exec?: ExecConfig | undefined;
  readonly tools?: ToolsConfig | undefined;
  /** Maps ids of agents to their tools; `*` stands for every id without an entry of its own. */
  readonly agents?: Readonly<Record<string, { readonly tools?: AgentScope | undefined }>> | undefined;
  readonly groups?: Readonly<Record<string, { readonly tools?: ToolLists | undefined }>> | undefined;
}

/** The path of a key in the configuration, such as ["tools", "deny"]. */
export type ConfigKeyPath = readonly string[];

/** Throws for entries that would hide or show tools by mistake. The message names the key. */
export function checkToolPolicy(config: ToolPolicyConfig): void {
  for (const [key, scope] of scopesOf(config)) {
    if (scope.allow?.length && scope.alsoAllow?.length) {
      throw unusableKeyFault(
        [...key, "alsoAllow"],
        `${keyText([...key, "allow"])} is set, too; put all entries into one of them`,
      );
    }
    if (scope.profile !== undefined && !Object.hasOwn(PROFILES, scope.profile)) {
      throw unusableKeyFault([...key, "profile"], unknownName("profile", scope.profile, Object.keys(PROFILES)));
    }
    for (const list of LISTS) {
      const wrong = scope[list]?.find(isUnknownGroup);
      if (wrong !== undefined) throw unusableKeyFault([...key, list], unknownGroup(wrong));
    }
  }
}

/**
 * Returns entries that match no tool, each with its key: they are probably misspelt. An entry that begins with one of
 * `prefixes` is not among them, because tools of that name may be added later.
 */
export function unknownEntries(
  config: ToolPolicyConfig,
  tools: readonly NamedTool[],
  prefixes: readonly string[] = [],
): readonly string[] {
  const names = [...new Set([...namesByGroup(tools), ...OWNER_ONLY, ...tools.map(({ name }) => name)])];
  const isKnown = (word: string): boolean =>
    word.includes("*") ||
    word.startsWith("group:") ||
    names.includes(word) ||
    prefixes.some((each) => word.startsWith(each)) ||
    tools.some((tool) => matchesTool(word, tool));
  return scopesOf(config).flatMap(([key, scope]) =>
    LISTS.flatMap((list) =>
      (scope[list] ?? [])
        .filter((entry) => !isKnown(plainName(entry)))
        .map((entry) => `${keyText([...key, list])}: ${unknownName("tool", entry, names)}`),
    ),
  );
}

/** Returns the names of all tools that have a group, ours and foreign ones. */
function namesByGroup(tools: readonly NamedTool[]): readonly string[] {
  const ours = tools.toSorted((one, other) => (one.catalogue?.order ?? 0) - (other.catalogue?.order ?? 0));
  return Object.entries(FOREIGN_TOOLS).flatMap(([group, foreign]) => [
    ...foreign,
    ...ours.filter(({ catalogue }) => catalogue?.group === group).map(({ name }) => name),
  ]);
}

const LISTS = ["allow", "alsoAllow", "deny"] as const;

/** Tests if an entry names a group that does not exist: it would match nothing, and hide or stop nothing. */
export function isUnknownGroup(entry: string): boolean {
  const word = plainName(entry);
  return word.startsWith("group:") && word !== PLUGINS && !GROUPS.has(word);
}

export const unknownGroup = (entry: string): string => unknownName("group", entry, [...GROUPS.keys(), PLUGINS]);

type Keyed = readonly [key: ConfigKeyPath, scope: ToolScope];

/** Lists every scope of the configuration with its key. */
function scopesOf({ tools, agents = {}, groups = {} }: ToolPolicyConfig): readonly Keyed[] {
  return [
    ...providedScopes(["tools"], tools),
    [["tools", "sandbox", "tools"], tools?.sandbox?.tools ?? {}],
    [["tools", "subagents", "tools"], tools?.subagents?.tools ?? {}],
    ...Object.entries(agents).flatMap(([id, agent]) => providedScopes(["agents", id, "tools"], agent.tools)),
    ...Object.entries(groups).map(([id, group]): Keyed => [["groups", id, "tools"], group.tools ?? {}]),
  ];
}

const providedScopes = (key: ConfigKeyPath, scope: ProvidedScope = {}): readonly Keyed[] => [
  [key, scope],
  ...Object.entries(scope.byProvider ?? {}).map(([name, each]): Keyed => [[...key, "byProvider", name], each]),
];

const unusableKeyFault = (key: ConfigKeyPath, problem: string): Fault =>
  new Fault("invalid_input", `Cannot use ${keyText(key)}: ${problem}`, { key: keyText(key) });

const unknownName = (what: string, name: string, known: readonly string[]): string =>
  `there is no ${what} ${quotedInput(name)}; ${didYouMean(name, known, `it may be ${known.join(", ")}`)}`;
