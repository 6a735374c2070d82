import { randomUUID } from "node:crypto";
import { LIMITS } from "../../base/limits.ts";
import type { SessionFacts } from "../../tools/tool.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Rules } from "../rules/rules.ts";
import type { Toolset } from "../tools/toolset.ts";
import { reasonOf } from "../tools/visibility.ts";

/** Collects what tools may know of the session. Rules and tools are read when asked for, since they can be reloaded. */
export function createSessionFacts(
  { rules, toolset, workspace, profile, contextWindow, images = () => ({}) }: FactSources,
  counters: SessionFacts["counters"],
): SessionFacts {
  const may = (act: "read" | "write", place: string) => rules().decide({ act, place }).verdict !== "blocked";
  return {
    id: randomUUID(),
    startedMs: Date.now(),
    get profile() {
      return profile();
    },
    containment: workspace.containment,
    isOneStorage: workspace.isOneStorage,
    pageBytes: pageBytesFor(contextWindow),
    pageLines: contextWindow === undefined ? LIMITS.pageLines : undefined,
    counters,
    get hiddenTools() {
      return hiddenToolsOf(toolset());
    },
    get problems() {
      return rules().unusable;
    },
    disks: () =>
      workspace.roots.flatMap((root) => {
        const space = workspace.space(root);
        return space ? { path: root.given, ...space } : [];
      }),
    roots: () =>
      workspace.roots.map((root) => ({
        path: root.given,
        read: may("read", root.real),
        write: may("write", root.real) && workspace.isWritable(root),
        ...workspace.promisesOf(root),
      })),
    images,
  };
}

interface FactSources {
  readonly rules: () => Rules;
  readonly toolset: () => Toolset;
  readonly workspace: Workspace;
  readonly profile: () => string;
  readonly contextWindow?: number | undefined;
  readonly images?: SessionFacts["images"] | undefined;
}

/** Lists each hidden tool once, although the map also holds it under its other names. */
const hiddenToolsOf = ({ hidden }: Toolset): SessionFacts["hiddenTools"] =>
  [...new Set(hidden.values())].map(({ tool, removals }) => ({
    tool: tool.name,
    reason: removals.map(reasonOf).join("; "),
    fix: removals.map(({ fix }) => fix).join("; "),
  }));

/** Gives a page a fifth of the context window, within bounds. */
export function pageBytesFor(contextWindow: number | undefined): number {
  if (contextWindow === undefined) return LIMITS.pageBytes;
  const share = Math.floor(contextWindow * LIMITS.charsPerToken * LIMITS.pageWindowShare);
  return Math.min(LIMITS.pageBytesByLimit, Math.max(LIMITS.pageBytes, share));
}
