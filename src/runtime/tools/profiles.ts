import type { ProfileName, ToolGroup } from "../../tools/tool.ts";

export type { ProfileName } from "../../tools/tool.ts";

const splitWords = (text: string): readonly string[] => text.split(" ");

/**
 * Lists the tools that a kind of work needs, narrowest first, besides those that name the profile themselves. Entries are
 * those of every list: names, groups, globs.
 */
export const PROFILES: Readonly<Record<ProfileName, readonly string[]>> = {
  minimal: [],
  readonly: [],
  messaging: splitWords("group:messaging sessions_list sessions_history sessions_send"),
  files: splitWords("group:fs"),
  coding: splitWords("group:fs group:archives group:runtime group:sessions group:memory image"),
  full: splitWords("*"),
};

/** The profile when nobody chose one: files can be read and changed, nothing is run. */
export const DEFAULT_PROFILE: ProfileName = "files";

/** Names tools that only other programs have, by group. Our own tools name their group themselves. */
export const FOREIGN_TOOLS: Readonly<Record<ToolGroup, readonly string[]>> = {
  fs: [],
  runtime: [],
  web: splitWords("web_search web_fetch"),
  memory: splitWords("memory_search memory_get"),
  sessions: splitWords("sessions_list sessions_history sessions_send sessions_spawn subagents"),
  ui: splitWords("browser canvas"),
  automation: splitWords("cron gateway"),
  messaging: splitWords("message"),
  nodes: splitWords("nodes"),
  agents: splitWords("agents_list"),
  media: splitWords("image"),
  archives: [],
};

const ALL_GROUPS = Object.keys(FOREIGN_TOOLS) as readonly ToolGroup[];

/** Maps entries of lists to the groups that they stand for. */
export const GROUPS: ReadonlyMap<string, readonly ToolGroup[]> = new Map<string, readonly ToolGroup[]>([
  ...ALL_GROUPS.map((group): [string, readonly ToolGroup[]] => [`group:${group}`, [group]]),
  ["group:openclaw", ALL_GROUPS.filter((group) => group !== "fs" && group !== "runtime")],
]);

/** The group of all tools of plugins. */
export const PLUGINS = "group:plugins";

/** Lists tools only for the owner of the agent, whatever the lists of the configuration say. */
export const OWNER_ONLY = splitWords("whatsapp_login cron gateway");

/** List the tools that a session in a sandbox sees and never sees, unless the configuration says otherwise. */
export const SANDBOX_ALLOW = splitWords("group:fs group:archives group:runtime group:sessions image");
export const SANDBOX_DENY = splitWords("browser canvas nodes cron gateway channels");

/** Lists tools that a sub-agent sees in addition while it may start sub-agents itself. */
export const SPAWNER_ALLOW = splitWords("sessions_list sessions_history sessions_spawn");

/** The depth at which sub-agents have no sub-agents of their own, unless the configuration says otherwise. */
export const SPAWN_DEPTH = 1;
