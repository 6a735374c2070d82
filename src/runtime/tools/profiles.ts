const words = (text: string): readonly string[] => text.split(" ");

/** Which tools a kind of work needs, narrowest first. Entries are those of every list: names, groups, globs. */
export const PROFILES = {
  minimal: words("session"),
  readonly: words("read grep find ls tree stat history watch session"),
  messaging: words("group:messaging sessions_list sessions_history sessions_send session"),
  files: words("group:fs session"),
  coding: words("group:fs group:runtime group:sessions group:memory image"),
  full: words("*"),
} as const;

export type ProfileName = keyof typeof PROFILES;

/** What a session gets when nobody chose: files can be read and changed, nothing is run. */
export const DEFAULT_PROFILE: ProfileName = "files";

/** Names for many tools at once, also for tools that only other programs have. */
export const GROUPS: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "group:fs",
    words("read write edit apply_patch grep find ls tree stat mkdir move copy delete restore undo history watch"),
  ],
  ["group:runtime", words("exec process")],
  ["group:web", words("web_search web_fetch")],
  ["group:memory", words("memory_search memory_get")],
  ["group:sessions", words("sessions_list sessions_history sessions_send sessions_spawn subagents session")],
  ["group:ui", words("browser canvas")],
  ["group:automation", words("cron gateway")],
  ["group:messaging", words("message")],
  ["group:nodes", words("nodes")],
  ["group:agents", words("agents_list")],
  ["group:media", words("image")],
  [
    "group:openclaw",
    words(
      "browser canvas nodes cron message gateway agents_list sessions_list sessions_history sessions_send " +
        "sessions_spawn subagents session memory_search memory_get web_search web_fetch image",
    ),
  ],
]);

/** The group of all that plugins bring. */
export const PLUGINS = "group:plugins";

/** Other names that lists may use. */
export const ALIASES: ReadonlyMap<string, string> = new Map([
  ["bash", "exec"],
  ["apply-patch", "apply_patch"],
  ["session_status", "session"],
  ["glob", "find"],
  ["list", "ls"],
]);

/** Only for the person whom the agent belongs to, whatever the lists say. */
export const OWNER_ONLY = words("whatsapp_login cron gateway");

/** What a session in a sandbox sees, and what it never sees, unless the configuration says otherwise. */
export const SANDBOX_ALLOW = words("group:fs group:runtime group:sessions image");
export const SANDBOX_DENY = words("browser canvas nodes cron gateway channels");

/** What a sub-agent sees, and what more while it may have sub-agents of its own. */
export const SUBAGENT_ALLOW = words("read grep find ls");
export const SPAWNER_ALLOW = words("sessions_list sessions_history sessions_spawn");

/** Sub-agents this deep have none of their own, unless the configuration says otherwise. */
export const SPAWN_DEPTH = 1;
