import { randomUUID } from "node:crypto";
import { LIMITS } from "../../base/limits.ts";
import { createSemaphore, type Semaphore } from "../../base/semaphore.ts";
import type { SessionFacts } from "../../tools/tool.ts";
import type { Principal } from "../../workspace/changes/change.ts";
import { createSeenFiles, type SeenFiles } from "../../workspace/read/seen-files.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { AlertTarget } from "../alerts/alerts.ts";
import type { Approvals } from "../approvals/approvals.ts";
import type { Audit } from "../audit/audit.ts";
import type { HookChain } from "../hooks/hooks.ts";
import type { LoopGuard } from "../loops/guard.ts";
import { narrowedTo } from "../rules/narrowed-rules.ts";
import type { NoticeSink } from "./notices.ts";
import type { Rates } from "../rules/rates.ts";
import type { Rules } from "../rules/rules.ts";
import { createReportedPlaceholders, type ReportedPlaceholders } from "../secrets/redact-answer.ts";
import type { SecretRedactor } from "../secrets/redactor.ts";
import { reasonOf } from "../tools/visibility.ts";
import type { Toolset } from "../tools/toolset.ts";
import { createWatches, type Watches } from "./watches.ts";

/** Everything one conversation with an agent needs. */
export interface Session {
  /** The tools as they are known now. */
  readonly toolset: () => Toolset;
  readonly lazyTools?: LazyTools | undefined;
  readonly workspace: Workspace;
  /** The rules as they are now. A call takes them once and keeps to them. */
  readonly rules: () => Rules;
  /** Settles once the rules and tools are those that are written now; undefined when they are about that new. */
  readonly reload: () => Promise<void> | undefined;
  /** Calls back whenever other rules have come to hold, or other tools to be shown. */
  readonly onReload: (tell: () => void) => void;
  readonly rates: Rates;
  readonly approvals: Approvals;
  readonly loop: LoopGuard;
  readonly audit: Audit;
  readonly redactor: SecretRedactor;
  readonly hooks: HookChain;
  readonly notice: NoticeSink;
  /** How people are told what an agent wants them to know. */
  readonly alertTargets: readonly AlertTarget[];
  /** Tells the operator what does not work; calls go on. */
  readonly warn: (message: string) => void;
  /** Who answers for what is changed here. */
  readonly principal: Principal;
  /** Directories that the operator gave a name; they are roots as well. */
  readonly sources: ReadonlyMap<string, NamedSource>;
  readonly facts: SessionFacts;
  /** Counts what happened, for the session tool. */
  readonly count: (what: "calls" | "faults") => void;
  /** Lets calls that were overtaken be planned again one after the other. */
  readonly replanning: Semaphore;
  /** What it watches; all of it ends with the session. */
  readonly watches: Watches;
  /** What it has seen of files, so that it replaces nothing that it does not know. */
  readonly seen: SeenFiles;
  readonly reportedPlaceholders: ReportedPlaceholders;
}

/** Tools of programs that are started, and asked which tools they have, when somebody wants to know. */
export interface LazyTools {
  /** Settles once all of them were asked. What cannot be asked is told, and harms nobody. */
  loadAll(): Promise<void>;
  /** The same for the one that a tool of this name would come from; undefined when there is none, or it has told. */
  loadFor(name: string): Promise<void> | undefined;
}

/** A directory with a name, and why it cannot be used where that is so. */
export interface NamedSource {
  readonly given: string;
  readonly reason?: string;
}

export interface SessionParts extends Omit<
  Session,
  "facts" | "count" | "replanning" | "watches" | "reportedPlaceholders" | "loop" | "seen"
> {
  /** What the same client has seen already, by other roots. */
  readonly seen?: SeenFiles;
  /** Each session has a guard of its own. */
  readonly loopFor: (session: string) => LoopGuard;
  readonly profile: () => string;
  /** Tokens the model behind this session can hold, when the operator said so. */
  readonly contextWindow?: number | undefined;
}

export function createSession({ profile, contextWindow, loopFor, ...parts }: SessionParts): Session {
  const counters = { calls: 0, faults: 0 };
  const may = (act: "read" | "write", place: string) => parts.rules().decide({ act, place }).verdict !== "blocked";
  const facts: SessionFacts = {
    id: randomUUID(),
    startedMs: Date.now(),
    get profile() {
      return profile();
    },
    containment: parts.workspace.containment,
    pageBytes: pageBytesFor(contextWindow),
    pageLines: contextWindow === undefined ? LIMITS.pageLines : undefined,
    counters,
    get hiddenTools() {
      return hiddenToolsOf(parts.toolset());
    },
    get problems() {
      return parts.rules().unusable;
    },
    disks: () =>
      parts.workspace.roots.flatMap((root) => {
        const space = parts.workspace.space(root);
        return space ? { path: root.given, ...space } : [];
      }),
    roots: () =>
      parts.workspace.roots.map((root) => ({
        path: root.given,
        read: may("read", root.real),
        write: may("write", root.real) && parts.workspace.isWritable(root),
      })),
  };
  const watches = createWatches(parts.workspace);
  const loop = loopFor(facts.id);
  return {
    ...parts,
    loop,
    facts,
    count: (what) => void counters[what]++,
    replanning: createSemaphore(1),
    watches,
    seen: parts.seen ?? createSeenFiles(),
    reportedPlaceholders: createReportedPlaceholders(),
  };
}

/** Other names of a tool lead to the same one. */
const hiddenToolsOf = ({ hidden }: Toolset): SessionFacts["hiddenTools"] =>
  [...new Set(hidden.values())].map(({ tool, removals }) => ({
    tool: tool.name,
    reason: removals.map(reasonOf).join("; "),
    fix: removals.map(({ fix }) => fix).join("; "),
  }));

/** The same files, history and locks: only what may be named and touched is less. */
export function narrowed<Parts extends Pick<Session, "workspace" | "rules">>(
  parts: Parts,
  roots: Workspace["roots"],
): Parts {
  const directories = roots.map(({ real }) => real);
  return { ...parts, workspace: parts.workspace.within(roots), rules: () => narrowedTo(parts.rules(), directories) };
}

/** A fifth of the window, within reason. */
export function pageBytesFor(contextWindow: number | undefined): number {
  if (contextWindow === undefined) return LIMITS.pageBytes;
  const share = Math.floor(contextWindow * LIMITS.charsPerToken * LIMITS.pageWindowShare);
  return Math.min(LIMITS.pageBytesByLimit, Math.max(LIMITS.pageBytes, share));
}
