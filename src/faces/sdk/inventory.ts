/** One tool that agents may have, whether it is built or not. */
export interface InventoryRow {
  /** As agents call it. */
  readonly name: string;
  /** What we call it, where that differs. */
  readonly ours?: string;
  readonly group: string;
  /** At which step of the assembly it comes in. */
  readonly step: "base" | "execution" | "native";
  readonly main: "yes" | "owner";
  /** "spawner": only for those that may have sub-agents of their own. */
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

/** In the order in which tools are offered. What is not built yet is simply absent from every session. */
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
