import { createSemaphore, type Semaphore } from "../../base/semaphore.ts";
import type { SessionFacts } from "../../tools/tool.ts";
import type { Principal } from "../../workspace/changes/change.ts";
import { createSeenFiles, type SeenFiles } from "../../workspace/read/seen-files.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { AlertTarget } from "../alerts/alerts.ts";
import type { Approvals } from "../approvals/approvals.ts";
import { type Audit, auditWithin } from "../audit/audit.ts";
import type { Commands } from "../commands/commands.ts";
import type { Diagnostics } from "../diagnostics/diagnostics.ts";
import type { HookChain } from "../hooks/hooks.ts";
import type { LoopGuard } from "../loops/guard.ts";
import { narrowedTo } from "../rules/narrowed-rules.ts";
import type { NoticeSink } from "../pipeline/notices.ts";
import type { RateCounters } from "../rules/rate-limits.ts";
import type { Rules } from "../rules/rules.ts";
import { createReportedPlaceholders, type ReportedPlaceholders } from "../secrets/redact-answer.ts";
import type { SecretRedactor } from "../secrets/redactor.ts";
import type { Toolset } from "../tools/toolset.ts";
import { createJobEnds, type JobEnds, type JobEndSink } from "./job-ends.ts";
import { createSessionFacts } from "./session-facts.ts";
import { createWatches, type Watches } from "./watches.ts";

/** Holds everything that one conversation with an agent needs. */
export interface Session {
  /** Returns the tools that are known now. */
  readonly toolset: () => Toolset;
  readonly lazyTools?: LazyTools | undefined;
  readonly workspace: Workspace;
  /** Returns the rules of this moment. A call takes them once and keeps to them. */
  readonly rules: () => Rules;
  /** Resolves once the rules and tools match the files; undefined when that was checked within the last second. */
  readonly reload: () => Promise<void> | undefined;
  /** Calls the listener after each reload of rules and tools. */
  readonly onReload: (listener: () => void) => void;
  readonly rates: RateCounters;
  readonly approvals: Approvals;
  readonly loop: LoopGuard;
  readonly audit: Audit;
  readonly redactor: SecretRedactor;
  readonly hooks: HookChain;
  readonly notice: NoticeSink;
  /** Lists the targets that alerts of the agent are sent to. */
  readonly alertTargets: readonly AlertTarget[];
  /** Warns the operator of what does not work; calls go on. */
  readonly warn: (message: string) => void;
  /** Says whether a person or an agent is responsible for changes of this session. */
  readonly principal: Principal;
  /** Names the agent that the session is for: what was allowed to one holds for no other. */
  readonly agent: string;
  /** Maps names that the operator gave to directories, which are roots as well. */
  readonly sources: ReadonlyMap<string, NamedSource>;
  readonly facts: SessionFacts;
  /** Counts what happened, for the session tool. */
  readonly count: (what: "calls" | "faults") => void;
  /** Lets calls that were overtaken be planned again one after the other. */
  readonly replanning: Semaphore;
  /** Holds the watches of this session, which end with it. */
  readonly watches: Watches;
  /** Asks language servers about changes; undefined where none is configured. */
  readonly diagnostics: Diagnostics | undefined;
  /** Runs commands; undefined where they are not possible. */
  readonly commands: Commands | undefined;
  /** Holds the ends of background commands until an answer has told them. */
  readonly jobEnds: JobEnds;
  /** Remembers which content of files the session has seen, so that it replaces nothing unseen without a notice. */
  readonly seen: SeenFiles;
  readonly reportedPlaceholders: ReportedPlaceholders;
}

/** Loads the tools of plugin servers lazily: a server is started and asked for its tools at the first use. */
export interface LazyTools {
  /** Resolves once all servers were asked. Warns of those that cannot be asked, and never rejects. */
  loadAll(): Promise<void>;
  /**
   * Does the same for the one server a tool of this name would come from; undefined if there is none or it is loaded.
   */
  loadFor(name: string): Promise<void> | undefined;
}

/** Describes a named directory, and the reason if it cannot be used. */
export interface NamedSource {
  readonly given: string;
  readonly reason?: string;
}

export interface SessionParts extends Omit<
  Session,
  "facts" | "count" | "replanning" | "watches" | "commands" | "jobEnds" | "reportedPlaceholders" | "loop" | "seen"
> {
  /** Carries over what the same client has seen in a session with other roots. */
  readonly seen?: SeenFiles;
  /** Creates the loop guard of one session. */
  readonly loopFor: (session: string) => LoopGuard;
  /** Runs the commands of one session. */
  readonly commandsFor?: ((session: string, jobEnds: JobEnds) => Commands) | undefined;
  /** Receives the end of each background command. */
  readonly onJobEnd?: JobEndSink | undefined;
  readonly profile: () => string;
  /** The context window of the model in tokens, where the operator set it. */
  readonly contextWindow?: number | undefined;
  /** Returns the limits of images that are configured now. */
  readonly images?: SessionFacts["images"] | undefined;
}

export function createSession(given: SessionParts): Session {
  const { profile, contextWindow, images, loopFor, commandsFor, onJobEnd, ...parts } = given;
  const counters = { calls: 0, faults: 0 };
  const facts = createSessionFacts({ ...parts, profile, contextWindow, images }, counters);
  const watches = createWatches(parts.workspace);
  const loop = loopFor(facts.id);
  const jobEnds = createJobEnds(parts.redactor.redactText);
  if (onJobEnd) jobEnds.onEnd(onJobEnd);
  return {
    ...parts,
    loop,
    facts,
    count: (what) => void counters[what]++,
    replanning: createSemaphore(1),
    watches,
    commands: commandsFor?.(facts.id, jobEnds),
    jobEnds,
    seen: parts.seen ?? createSeenFiles(),
    reportedPlaceholders: createReportedPlaceholders(),
  };
}

/** Restricts a session to fewer roots. Files, history and locks stay the same. */
export function narrowSession<Parts extends Pick<Session, "workspace" | "rules" | "audit">>(
  parts: Parts,
  roots: Workspace["roots"],
): Parts {
  const directories = roots.map(({ real }) => real);
  return {
    ...parts,
    workspace: parts.workspace.within(roots),
    rules: () => narrowedTo(parts.rules(), directories),
    audit: auditWithin(parts.audit, directories),
  };
}
