import { homedir } from "node:os";
import { Fault } from "./base/errors.ts";
import { LIMITS } from "./base/limits.ts";
import { isWithin } from "./base/paths.ts";
import type { ChannelName, SecretsMode } from "./base/verdicts.ts";
import type { Config } from "./config/schema.ts";
import { type Dialect, surfaceIn, surfaceWithout } from "./dialects/dialect.ts";
import { askProgram, spawnProgram, startChildProgram } from "./exec/spawn.ts";
import { createPluginTools, type PluginTools } from "./plugins/plugin-tools.ts";
import type { CheckedPlugin } from "./plugins/plugin.ts";
import { alertTargetsOf } from "./runtime/alerts/targets.ts";
import type { ApprovalRequest, ApprovalChannel } from "./runtime/approvals/approval.ts";
import { type ApprovalPlace, createApprovalCommand } from "./runtime/approvals/command.ts";
import { type ApprovalStore, createApprovalStore } from "./runtime/approvals/store.ts";
import { type ApprovalParts, type Approvals, type Approver, createApprovals } from "./runtime/approvals/approvals.ts";
import { type ApprovalWebhook, createWebhookChannel } from "./runtime/approvals/webhook.ts";
import { type Audit, createAudit } from "./runtime/audit/audit.ts";
import { auditLogIn } from "./runtime/audit/log.ts";
import { createExecRules, type ExecRules } from "./runtime/rules/exec-rules.ts";
import { createGrants, type Grants } from "./runtime/approvals/grants.ts";
import { type Guarded, guardsFor, isKernelPlace, readOnlyLayer } from "./runtime/rules/guards.ts";
import { createLoopGuard, type LoopDetection, type LoopGuard } from "./runtime/loops/guard.ts";
import { createLoopSuspensions, type LoopSuspension, type LoopSuspensions } from "./runtime/loops/suspensions.ts";
import type { NoticeSink } from "./runtime/pipeline/notices.ts";
import { createToolsets } from "./runtime/tools/own-tools.ts";
import type { ProfileName } from "./runtime/tools/profiles.ts";
import { createRates, type Rates } from "./runtime/rules/rates.ts";
import { createLivePolicy, reloadedWith, type LivePolicy, type RuleSource } from "./runtime/rules/live-policy.ts";
import { createRules, type Guard } from "./runtime/rules/rules.ts";
import { createSession, narrowed, type Session, type SessionParts } from "./runtime/pipeline/session.ts";
import { programsOf } from "./runtime/hooks/run-programs.ts";
import { commandHooks, type HookCommands } from "./runtime/hooks/commands.ts";
import { createHooks, type HookChain, type Hooks } from "./runtime/hooks/hooks.ts";
import { createSecretRedactor, type SecretRedactor } from "./runtime/secrets/redactor.ts";
import { nativeSurface, type Surface } from "./runtime/pipeline/surface.ts";
import { ownRulesOf } from "./runtime/rules/templates.ts";
import { type ConfigKeyPath, unknownEntries, type ToolPolicyConfig } from "./runtime/tools/config.ts";
import { isReadOnly, shownProfileOf, toolPolicyOf, type WrittenTools } from "./runtime/tools/policy.ts";
import type { AgentContext } from "./runtime/tools/steps.ts";
import type { ToolPolicy } from "./runtime/tools/visibility.ts";
import { createToolset } from "./runtime/tools/toolset.ts";
import type { Durability } from "./storage/writer.ts";
import { createLocalStorage } from "./storage/local/local.ts";
import {
  distinct,
  openRoots,
  openSources,
  type Root,
  type SkippedRoot,
  sortRoots,
} from "./storage/local/jail/roots.ts";
import type { State } from "./storage/state.ts";
import { stateHome } from "./storage/local/state/home.ts";
import { createSharedState, createState } from "./storage/local/state/state.ts";
import { waitsAtPipe } from "./storage/local/blocked-at-pipe.ts";
import { resolvedEnd, kindAt, linksOnPath } from "./storage/local/jail/resolved-links.ts";
import { BUILTIN_TOOLS } from "./tools/index.ts";
import type { Tool } from "./tools/tool.ts";
import type { Principal } from "./workspace/changes/change.ts";
import { createRipgrepSearcher } from "./workspace/search/ripgrep/ripgrep.ts";
import { ownSearcher } from "./workspace/search/own-searcher.ts";
import type { Searcher } from "./workspace/view.ts";
import type { Retention } from "./workspace/changes/trash/trash.ts";
import { sharedReadAheadWorker } from "./workspace/walk/worker/worker.ts";
import { createWorkspace, type Workspace } from "./workspace/workspace.ts";

export interface Options {
  /** Directories that the agent may use. */
  readonly roots: readonly string[];
  /** More directories, each with a name that dialects may know it by. */
  readonly sources?: Readonly<Record<string, string>> | undefined;
  /** Tools of your own, made by `defineTool`. */
  readonly tools?: readonly Tool[] | undefined;
  /** Plugins that were checked. */
  readonly plugins?: readonly CheckedPlugin[] | undefined;
  /** The files that plugins come from: no tool can write them. */
  readonly pluginFiles?: readonly string[] | undefined;
  /** The words of another system, from `loadDialect`; without it the native tools. */
  readonly dialect?: Dialect | undefined;
  /** Tokens that the model can hold; sets the size of a page. */
  readonly contextWindow?: number | undefined;
  /** Whether calls that go in circles are warned of and refused, and when. */
  readonly loopDetection?: boolean | LoopDetection | undefined;
  /** Nothing can be changed. */
  readonly readOnly?: boolean | undefined;
  /** Which tools are shown: a profile, instead of the one that `toolConfig` names or else "files". */
  readonly profile?: ProfileName | undefined;
  /** Which tools are shown, in full. */
  readonly toolConfig?: ToolPolicyConfig | undefined;
  /** Where the operator wrote a key of `toolConfig`, for explanations. */
  readonly originOf?: ((key: ConfigKeyPath) => string | undefined) | undefined;
  /** For whom the session is: what `toolConfig` says of agents, models, groups and sub-agents depends on it. */
  readonly standing?: AgentContext | undefined;
  /** "power": a change survives a power cut, at the price of waiting for the disk. */
  readonly durability?: Durability | undefined;
  /** Who answers for changes: an agent's trash is kept for a day, a person's for a week. */
  readonly principal?: Principal | undefined;
  /** How long what is deleted here can be brought back, in hours; without it as the principal says. */
  readonly trashHours?: number | undefined;
  /** Where history, trash and the audit log live; out of reach of every tool. */
  readonly stateDirectory?: string | undefined;
  /** Where ripgrep is, or null to search without it; the packaged one when nobody says. */
  readonly ripgrep?: (() => Promise<string | null>) | undefined;
  /** What configuration files say a call may do. */
  readonly ruleSource?: RuleSource | undefined;
  /** The file that the operator named instead of his own: no tool can write it. */
  readonly configFile?: string | undefined;
  /** Functions that are asked before and told after every call, in this order. */
  readonly hooks?: readonly Hooks[] | undefined;
  /** Programs of the operator's that are asked and told after those. */
  readonly hookCommands?: HookCommands | undefined;
  /** Where secrets are shown as handles: in files made for them ("on"), in all files, or nowhere. */
  readonly secrets?: SecretsMode | undefined;
  /** Names whose values are secret whatever they look like, in files and in the environment. */
  readonly secretNames?: readonly string[] | undefined;
  /** Who says yes or no where a rule asks. Without one a person at the command line can. */
  readonly approver?: Approver | undefined;
  /** As which channel that one counts, for rules that care: "sdk", the program that calls us, unless told. */
  readonly approverIs?: ChannelName | undefined;
  /** Where questions are posted besides, each with a link that answers it. */
  readonly approvalWebhook?: ApprovalWebhook | undefined;
  /** How long a call waits for an answer before it says that it is pending. */
  readonly approvalWaitMs?: number | undefined;
  /** Told of every question that waits for an answer, with the command that shows it to a person. */
  readonly asked?: ((request: ApprovalRequest) => void) | undefined;
  /** How a person calls the command line of Holdfast, as messages say it; "holdfast" unless told. */
  readonly program?: (() => string) | undefined;
  /** Whether nothing can be changed while the audit log cannot be written: so it is unless told. */
  readonly auditRequired?: boolean | undefined;
  /** Told what was done that the rules want told. */
  readonly notice?: NoticeSink | undefined;
  /** Told what an agent wants people to know, as one line. */
  readonly alert?: ((line: string) => void) | undefined;
  /** Where that goes besides: an address to post it to, a program that reads it. */
  readonly alerts?: Config["alerts"];
  /** Told of roots, plugins and hooks that do not work, and of state that cannot be written. The SDK warns as Node does without it. */
  readonly warn?: ((message: string) => void) | undefined;
}

/** The same with what a command of ours tells the operator in its own way. */
export interface CommandOptions extends Options {
  /** Told of each root that cannot be used, instead of `warn`. */
  readonly skipped?: ((root: SkippedRoot) => void) | undefined;
  /** Told how many directories a client put in place of the roots. */
  readonly replaced?: ((count: number) => void) | undefined;
}

/** The native tools, with the types of what each takes and gives. */
export type BuiltinTools = typeof BUILTIN_TOOLS;

export interface App {
  readonly session: Session;
  /** What faces serve of it. */
  readonly surface: Surface;
  readonly skipped: readonly SkippedRoot[];
  readonly stateDirectory: string;
  /** The open questions, for whoever answers them beside the session. */
  readonly approvals: ApprovalStore;
  /** What was allowed for longer than once. */
  readonly grants: Grants;
  /** The sessions that have stopped because they only repeated themselves. */
  readonly stops: LoopSuspensions;
  /** The same for who may use only these of its directories, or some below them. Undefined when they are none. */
  narrowed(directories: readonly string[]): Surface | undefined;
  /** The same for another conversation, which has its own session. */
  another(): Conversation;
  close(): void;
}

/** What one of several clients is served. */
export interface Conversation {
  readonly id: string;
  readonly surface: Surface;
  end(): void;
}

/** The composition root: the only file that knows every concrete part. Starts nothing and writes nothing. */
export function createApp(options: CommandOptions): App {
  const { roots, skipped, sources } = directoriesOf(options);
  for (const each of skipped) tellSkipped(options, each);
  const places = [...new Set(roots.map(({ real }) => real))];
  const home = homeOf(options);
  const guards = (): readonly Guard[] =>
    guardsFor(guardedIn(options, roots, home), { placesOnWay: linksOnPath, kindAt });
  const { durability = "process", principal = "agent", dialect } = options;
  const readOnly = isReadOnly(options);
  const state = createState(home, places, durability);
  const shield = shieldOf(options, places);
  const audit = auditOf(options, state, shield);
  const pluginTools = crewOf(options, places);
  const rates = createRates();
  const execRules = execRulesOf(options, home);
  const kept = {
    approvals: createApprovalStore(state),
    grants: createGrants(state),
    stops: createLoopSuspensions(state),
  };
  const { approvals: store, grants, stops } = kept;
  const book = ruleBookOf({ ...options, readOnly }, places, guards, { rates, grants, execRules, pluginTools });
  const webhook = options.approvalWebhook && createWebhookChannel(options.approvalWebhook, store);
  const parts: SessionParts = {
    toolset: createToolsets(
      { native: BUILTIN_TOOLS, own: pluginTools.tools, warn: options.warn ?? (() => {}) },
      book.tools,
    ),
    lazyTools: pluginTools.late,
    workspace: workspaceOf({ ...options, readOnly }, roots, places, state),
    rules: book.rules,
    renewing: book.renewing,
    onRenewal: book.onRenewal,
    rates,
    principal,
    approvals: approvalsOf(options, { store, grants, execRules, audit }, { roots: places, home }, webhook),
    notice: options.notice ?? (() => {}),
    alertWays: alertTargetsOf(options, askProgram),
    warn: options.warn ?? (() => {}),
    loopFor: (session) => loopGuardOf(options.loopDetection, stops.of(session), session),
    audit,
    sources,
    shield,
    hooks: hooksOf(options, audit),
    profile: () => shownProfileOf(book.tools()),
    contextWindow: options.contextWindow,
  };
  const { begin, endAll } = createConversations(dialect);
  const { session, surface } = begin(parts);
  return {
    session,
    surface,
    skipped,
    stateDirectory: state.directory,
    ...kept,
    narrowed(directories) {
      const common = shared(roots, sortRoots(directories).roots);
      return common.length === 0 ? undefined : begin({ ...narrowed(parts, common), seen: session.seen }).surface;
    },
    another: () => begin(parts),
    close() {
      endAll();
      webhook?.close();
      pluginTools.end();
      audit.flush();
    },
  };
}

function tellSkipped({ skipped: tell, warn }: CommandOptions, root: SkippedRoot): void {
  if (tell) tell(root);
  else warn?.(`Skipped the root ${JSON.stringify(root.given)}: ${root.reason}`);
}

/** Begins conversations, each with a session of its own; what one watches ends with it. */
function createConversations(dialect: Dialect | undefined) {
  const begun = new Set<Session>();
  return {
    begin(parts: SessionParts): Conversation & Pick<App, "session"> {
      const session = createSession(parts);
      begun.add(session);
      return {
        session,
        id: session.facts.id,
        surface: dialect ? surfaceIn(dialect, session) : nativeSurface(session),
        end() {
          begun.delete(session);
          session.watches.endAll();
        },
      };
    },
    endAll: () => begun.forEach(({ watches }) => watches.endAll()),
  };
}

function homeOf({ stateDirectory = stateHome(process.env) }: Options): string {
  const home = resolvedEnd(stateDirectory);
  if (!isKernelPlace(home)) return home;
  throw new Fault("invalid_input", `Cannot keep state in ${JSON.stringify(home)}: it is not a place for files`);
}

/** What an agent must not write, nor lead elsewhere, wherever it lies. */
const guardedIn = (options: Options, roots: readonly Root[], home: string): Guarded => ({
  roots,
  stateHomes: [options.stateDirectory ?? home, stateHome(process.env)],
  configFile: options.configFile,
  pluginFiles: options.pluginFiles ?? [],
  programs: programsOf(options),
  env: process.env,
});

/** What has a name is a root as well; without one there must be at least one. */
function directoriesOf({ roots: unnamed, sources: named = {}, warn }: Options) {
  const { roots, skipped } = openRoots(unnamed);
  const sources = openSources(named);
  for (const [name, source] of sources)
    if ("reason" in source) warn?.(`Skipped the source ${JSON.stringify(name)}: ${source.reason}`);
  const usable = [...sources.values()].filter((source) => "real" in source);
  return { roots: distinct([...roots, ...usable]), skipped, sources };
}

/** What can be served of a dialect before there is any directory: its tools, and for every call the reason. */
export const surfaceAwaiting = (options: Options, dialect: Dialect, reason: Fault): Surface =>
  surfaceWithout(dialect, createToolset(BUILTIN_TOOLS, toolPolicyOf(options)), reason);

/** What lies in one of the first and in one of the others as well. */
const shared = (roots: readonly Root[], others: readonly Root[]): readonly Root[] => [
  ...others.filter(({ real }) => roots.some((root) => isWithin(real, root.real))),
  ...roots.filter(({ real }) => others.some((other) => other.real !== real && isWithin(real, other.real))),
];

const searcherFor = (find: () => Promise<string | null>): Searcher =>
  createRipgrepSearcher({ spawn: spawnProgram, find, waitsAtPipe, otherwise: ownSearcher });

/** The program comes as a package for this very platform, which may be missing: then its index throws. */
const findRipgrep = async (): Promise<string | null> => {
  try {
    return (await import("@vscode/ripgrep")).rgPath;
  } catch {
    return null;
  }
};

/** Tells what is passed over. */
function checkedToolsOf(options: Options & WrittenTools, pluginTools: PluginTools): ToolPolicy {
  const policy = toolPolicyOf(options);
  for (const stray of unknownEntries(policy.config, [...BUILTIN_TOOLS, ...pluginTools.tools()], pluginTools.words))
    options.warn?.(`Passed over an entry of ${stray}`);
  return policy;
}

/** Starts nothing. Tells what of a plugin an agent might write. */
function crewOf(options: Options, roots: readonly string[]): PluginTools {
  const { tools: own = [], plugins = [], pluginFiles = [], warn = () => {} } = options;
  const pluginTools = createPluginTools({ own, plugins, start: startChildProgram, warn });
  for (const file of pluginFiles.filter((each) => roots.some((root) => isWithin(resolvedEnd(each), root))))
    warn(
      `The plugin ${JSON.stringify(file)} lies in a root: no tool writes the file itself, but files that it imports`,
    );
  return pluginTools;
}

const shieldOf = ({ secrets = "on", secretNames = [] }: Options, roots: readonly string[]): SecretRedactor =>
  createSecretRedactor({ mode: secrets, names: secretNames, roots, env: process.env });

const auditOf = (
  { auditRequired: isRequired = true, warn = () => {} }: Options,
  state: State,
  { hidden }: SecretRedactor,
): Audit => createAudit({ log: auditLogIn(state), hidden, isRequired, warn });

const loopGuardOf = (detection: boolean | LoopDetection = {}, stop: LoopSuspension, session: string): LoopGuard =>
  createLoopGuard(typeof detection === "boolean" ? { enabled: detection } : detection, stop, session);

const hooksOf = ({ hooks = [], hookCommands = {}, warn = () => {} }: Options, audit: Audit): HookChain =>
  createHooks([...hooks, ...commandHooks(hookCommands, askProgram)], { audit, warn });

const retentionOf = (principal: Principal, hours: number | undefined): Retention => ({
  agent: LIMITS.agentTrashHours,
  user: LIMITS.userTrashHours,
  ...(hours !== undefined && { [principal]: hours }),
});

function workspaceOf(options: Options, roots: readonly Root[], places: readonly string[], state: State): Workspace {
  const { durability = "process", principal = "agent", dialect } = options;
  const writing = { stateDirectory: state.directory, durability, modes: dialect?.modes };
  return createWorkspace(createLocalStorage(places, { writing }), roots, {
    state,
    retention: retentionOf(principal, options.trashHours),
    isReadOnly: options.readOnly === true,
    searcher: searcherFor(options.ripgrep ?? findRipgrep),
    worker: sharedReadAheadWorker,
  });
}

const approvalsOf = (
  options: Options,
  parts: Pick<ApprovalParts, "store" | "grants" | "execRules" | "audit">,
  place: Pick<ApprovalPlace, "roots" | "home">,
  webhook: ApprovalChannel | undefined,
): Approvals =>
  createApprovals({
    ...parts,
    command: createApprovalCommand({ program: options.program, ...place }),
    channels: [
      ...(options.approver ? [{ name: options.approverIs ?? "sdk", ask: options.approver }] : []),
      ...(webhook ? [webhook] : []),
    ],
    waitMs: options.approvalWaitMs ?? (options.approver ? undefined : options.dialect?.approvalWaitMs),
    warn: options.warn,
    asked: options.asked,
  });

const execRulesOf = ({ standing, warn = () => {} }: Options, home: string): ExecRules =>
  createExecRules({ state: createSharedState(home), agent: standing?.agent ?? "main", home: homedir(), warn });

/** What the files, this session and the program say, and what was granted. */
function ruleBookOf(
  options: Options,
  roots: readonly string[],
  guards: () => readonly Guard[],
  { rates, grants, execRules, pluginTools }: Ruled,
): LivePolicy {
  const source = reloadedWith(options.ruleSource ?? { layers: [] }, () => JSON.stringify(guards()));
  const { dialect } = options;
  const defaults = dialect ? ownRulesOf(dialect.name, dialect.verdicts) : [];
  const isShielded = options.secrets !== "off";
  const own = options.readOnly ? [readOnlyLayer(source.tools)] : [];
  return createLivePolicy(
    source,
    {
      rules: (layers, granted) =>
        execRules.over(
          createRules(
            { roots, layers: [...layers, ...own], guards: guards(), grants: granted, isShielded, defaults },
            rates,
          ),
        ),
      tools: (written) => checkedToolsOf({ ...options, ...written }, pluginTools),
    },
    grants.current,
    options.warn ?? (() => {}),
  );
}

interface Ruled {
  readonly rates: Rates;
  readonly grants: Grants;
  readonly execRules: ExecRules;
  readonly pluginTools: PluginTools;
}
