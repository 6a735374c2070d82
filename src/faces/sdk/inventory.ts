import { CATALOGUE } from "../../app/catalogue.ts";
import type { BuiltinTool, CatalogueEntry } from "../../tools/tool.ts";

/** Describes one tool that agents may have, whether it exists yet or not. */
export interface InventoryRow {
  /** The name that agents use. */
  readonly name: string;
  /** Our own name, where it differs. */
  readonly nativeName?: string;
  readonly group: string;
  /** The step of `createTools` that adds it. */
  readonly step: Step;
  readonly main: "yes" | "owner";
  /** "spawner" means: only for agents that may start sub-agents. */
  readonly subAgent: "yes" | "no" | "spawner";
}

type Step = NonNullable<CatalogueEntry["step"]>;

interface OrderedRow {
  readonly order: number;
  readonly row: InventoryRow;
}

function rowOf({ name, ownerOnly, catalogue }: BuiltinTool): OrderedRow {
  const { group, order, step = "native", subAgent, agentName } = catalogue;
  const row = { group, step, main: ownerOnly ? "owner" : "yes", subAgent: subAgent ? "yes" : "no" } as const;
  return { order, row: agentName === undefined ? { name, ...row } : { name: agentName, ...row, nativeName: name } };
}

type Columns = readonly [
  order: number,
  name: string,
  group: string,
  main?: InventoryRow["main"],
  subAgent?: InventoryRow["subAgent"],
];

const plannedRows = (step: Step, columns: readonly Columns[]): readonly OrderedRow[] =>
  columns.map(([order, name, group, main = "yes", subAgent = "no"]) => ({
    order,
    row: { name, group, step, main, subAgent },
  }));

/** Holds a row for each tool that does not exist yet. Such tools are absent from every session. */
const PLANNED: readonly OrderedRow[] = [
  ...plannedRows("native", [
    [200, "browser", "ui"],
    [210, "canvas", "ui"],
    [220, "nodes", "infra"],
    [230, "cron", "automation", "owner"],
    [240, "message", "messaging"],
    [250, "gateway", "admin", "owner"],
    [260, "agents_list", "introspection"],
    [270, "sessions_list", "sessions", "yes", "spawner"],
    [280, "sessions_history", "sessions", "yes", "spawner"],
    [290, "sessions_send", "sessions"],
    [300, "sessions_spawn", "sessions", "yes", "spawner"],
    [310, "subagents", "sessions"],
    [330, "memory_search", "memory"],
    [340, "memory_get", "memory"],
    [350, "web_search", "web"],
    [360, "web_fetch", "web"],
    [370, "image", "media"],
  ]),
];

const BUILT: readonly OrderedRow[] = CATALOGUE.map(rowOf);

/** Lets a tool that was planned replace its row here once it is built. */
const isStillPlanned = ({ row }: OrderedRow): boolean => !BUILT.some((built) => built.row.name === row.name);

const STEPS: readonly Step[] = ["base", "execution", "native"];

/** Lists tools in the order in which they are offered. */
export const INVENTORY: readonly InventoryRow[] = [...BUILT, ...PLANNED.filter(isStillPlanned)]
  .toSorted((one, other) => STEPS.indexOf(one.row.step) - STEPS.indexOf(other.row.step) || one.order - other.order)
  .map(({ row }) => row);
