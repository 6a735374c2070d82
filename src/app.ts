import { resolve } from "node:path";
import { Fault } from "./base/errors.ts";
import { isWithin } from "./base/paths.ts";
import { denyAll } from "./runtime/approvals.ts";
import { createAudit, type Sink } from "./runtime/audit.ts";
import { createLoopGuard, noLoopGuard } from "./runtime/loop-guard.ts";
import { READ_ONLY_RULES, type Rule } from "./runtime/policy.ts";
import { createSession, type Session } from "./runtime/session.ts";
import { createToolset } from "./runtime/toolset.ts";
import { createLocalStorage } from "./storage/local/local.ts";
import { openRoots, type SkippedRoot } from "./storage/local/roots.ts";
import { createState, realHome, stateHome } from "./storage/local/state.ts";
import { BUILTIN_TOOLS } from "./tools/index.ts";
import { createWorkspace } from "./workspace/workspace.ts";

export interface Options {
  /** Directories that the agent may use. */
  readonly roots: readonly string[];
  /** Tokens that the model can hold; sets the size of a page. */
  readonly contextWindow?: number | undefined;
  readonly loopDetection?: boolean | undefined;
  /** Where the audit log lives; out of reach of every tool. */
  readonly stateDirectory?: string | undefined;
  /** Told of roots that cannot be used, and of state that cannot be written; calls go on. */
  readonly warn?: ((message: string) => void) | undefined;
}

export interface App {
  readonly session: Session;
  readonly skipped: readonly SkippedRoot[];
  readonly stateDirectory: string;
  close(): void;
}

/** The composition root: the only file that knows every concrete part. Starts nothing and writes nothing. */
export function createApp(options: Options): App {
  const { roots, skipped } = openRoots(options.roots);
  for (const { given, reason } of skipped) options.warn?.(`Skipped the root ${JSON.stringify(given)}: ${reason}`);
  const places = [...new Set(roots.map(({ real }) => real))];
  const home = realHome(resolve(options.stateDirectory ?? stateHome(process.env)));
  if (KERNEL_PLACES.some((place) => isWithin(home, place))) {
    throw new Fault("invalid_input", `Cannot keep state in ${JSON.stringify(home)}: it is not a place for files`);
  }
  const state = createState(home, places);
  const audit = createAudit(unlessFailing((lines) => state.append(`audit-${today()}.jsonl`, lines), options.warn));
  const session = createSession({
    toolset: createToolset(BUILTIN_TOOLS),
    workspace: createWorkspace(createLocalStorage(places), roots),
    rules: [...READ_ONLY_RULES, ...guarded(home, places)],
    approver: denyAll,
    loop: options.loopDetection === false ? noLoopGuard : createLoopGuard(),
    audit,
    profile: "readonly",
    contextWindow: options.contextWindow,
  });
  return { session, skipped, stateDirectory: state.directory, close: audit.flush };
}

const KERNEL_PLACES = ["/proc", "/sys", "/dev"];

/** Never to be read through a tool, whatever the roots are: our own state, and what the kernel shows of itself. */
const guarded = (home: string, roots: readonly string[]): readonly Rule[] => [
  { act: "read", within: home, verdict: "blocked", reason: "it belongs to Holdfast itself" },
  ...KERNEL_PLACES.filter((place) => roots.some((root) => isWithin(place, root))).map(
    (within) => ({ act: "read", within, verdict: "blocked", reason: "it is not a place for files" }) as const,
  ),
];

/** A full disk must not stop reading: the loss is told once, and calls go on. */
function unlessFailing(sink: Sink, warn: Options["warn"]): Sink {
  let told = false;
  return (lines) => {
    try {
      sink(lines);
    } catch (error) {
      if (!told) warn?.(`Cannot write the audit log: ${String(error)}`);
      told = true;
    }
  };
}

const today = (): string => new Date().toISOString().slice(0, 10);
