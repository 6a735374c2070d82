/** Describes one tool that agents may have, whether it exists yet or not. */
export interface InventoryRow {
  /** The name that agents use. */
  readonly name: string;
  /** Our own name, where it differs. */
  readonly ours?: string;
  readonly group: string;
  /** The step of `createTools` that adds it. */
  readonly step: "base" | "execution" | "native";
  readonly main: "yes" | "owner";
  /** "spawner" means: only for agents that may start sub-agents. */
  readonly subAgent: "yes" | "no" | "spawner";
}

type Columns = readonly [name: string, group: string, main?: InventoryRow["main"], subAgent?: InventoryRow["subAgent"]];

const rows = (step: InventoryRow["step"], columns: readonly Columns[]): readonly InventoryRow[] =>
  columns.map(([name, group, main = "yes", subAgent = "no"]) => ({
    name,
    group,
    step,
    main,
    subAgent,
    ...(name === "session_status" && { ours: "session" }),
  }));

/** Lists tools in the order in which they are offered. Tools that do not exist yet are absent from every session. */
export const INVENTORY: readonly InventoryRow[] = [
  ...rows("base", [
    ["read", "fs", "yes", "yes"],
    ["write", "fs"],
    ["edit", "fs"],
    ["grep", "fs", "yes", "yes"],
    ["find", "fs", "yes", "yes"],
    ["ls", "fs", "yes", "yes"],
  ]),
  ...rows("execution", [
    ["exec", "runtime"],
    ["process", "runtime"],
    ["apply_patch", "fs"],
  ]),
  ...rows("native", [
    ["tree", "fs"],
    ["stat", "fs"],
    ["mkdir", "fs"],
    ["move", "fs"],
    ["copy", "fs"],
    ["delete", "fs"],
    ["restore", "fs"],
    ["undo", "fs"],
    ["history", "fs"],
    ["watch", "fs"],
    ["browser", "ui"],
    ["canvas", "ui"],
    ["nodes", "infra"],
    ["cron", "automation", "owner"],
    ["message", "messaging"],
    ["gateway", "admin", "owner"],
    ["agents_list", "introspection"],
    ["sessions_list", "sessions", "yes", "spawner"],
    ["sessions_history", "sessions", "yes", "spawner"],
    ["sessions_send", "sessions"],
    ["sessions_spawn", "sessions", "yes", "spawner"],
    ["subagents", "sessions"],
    ["session_status", "sessions"],
    ["memory_search", "memory"],
    ["memory_get", "memory"],
    ["web_search", "web"],
    ["web_fetch", "web"],
    ["image", "media"],
  ]),
];
