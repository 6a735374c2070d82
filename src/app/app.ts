import type { Fault } from "../base/errors.ts";
import { type Dialect, surfaceWithoutRoots } from "../dialects/dialect.ts";
import { runProgram } from "../exec/spawn.ts";
import type { PluginTools } from "../plugins/plugin-tools.ts";
import { alertTargetsOf } from "../runtime/alerts/targets.ts";
import { createWebhookChannel, type WebhookChannel } from "../runtime/approvals/webhook.ts";
import { type Audit, type AuditLog, createAudit } from "../runtime/audit/audit.ts";
import { auditLogIn } from "../runtime/audit/log.ts";
import { commandHooks } from "../runtime/hooks/command-hooks.ts";
import { createHooks, type HookChain } from "../runtime/hooks/hooks.ts";
import { createLoopGuard, type LoopDetection, type LoopGuard } from "../runtime/loops/guard.ts";
import type { LoopSuspension } from "../runtime/loops/suspensions.ts";
import { narrowSession, type Session, type SessionParts } from "../runtime/sessions/session.ts";
import type { Surface } from "../runtime/pipeline/surface.ts";
import { createRateCounters } from "../runtime/rules/rate-limits.ts";
import { createSecretRedactor, type SecretRedactor } from "../runtime/secrets/redactor.ts";
import { createLiveToolset } from "../runtime/tools/live-toolset.ts";
import type { ExecConfig } from "../runtime/tools/config.ts";
import { execConfigOf, imageLimitsOf } from "../runtime/tools/filter-steps.ts";
import { isReadOnly, shownProfileOf, toolPolicyOf } from "../runtime/tools/policy.ts";
import { createToolset } from "../runtime/tools/toolset.ts";
import { type Root, type SkippedRoot, sortRoots } from "../storage/local/jail/roots.ts";
import { requireKnownFormat } from "../storage/local/state/format.ts";
import type { State } from "../storage/state.ts";
import type { Storage } from "../storage/storage.ts";
import { BUILTIN_TOOLS } from "../tools/index.ts";
import { approvalSocketOf } from "./approval-socket.ts";
import { approvalsOf } from "./approvals.ts";
import { builtinTool } from "./catalogue.ts";
import { lazyCommands } from "./lazy-commands.ts";
import { lazyDiagnostics } from "./lazy-diagnostics.ts";
import { type Conversation, createConversations } from "./conversations.ts";
import { directoriesOf, homeOf, sharedRoots } from "./directories.ts";
import type { CommandOptions, Options } from "./options.ts";
import { pluginToolsOf } from "./plugin-tools.ts";
import { sharedStateIn, type SharedState } from "./shared-state.ts";
import { agentOf, execRulesOf, livePolicyOf } from "./policy.ts";
import { stateOf } from "./states.ts";
import { workspaceOf } from "./workspace.ts";

/** The list of native tools, with the types of their inputs and outputs. */
export type BuiltinTools = typeof BUILTIN_TOOLS;

export interface App extends SharedState {
  readonly session: Session;
  /** The tools that faces serve. */
  readonly surface: Surface;
  readonly skipped: readonly SkippedRoot[];
  readonly stateDirectory: string;
  /** Begins a conversation in these of the directories only, or some below them; undefined when there are none. */
  narrowed(directories: readonly string[]): Conversation | undefined;
  /** Begins another conversation, with a session of its own. */
  another(): Conversation;
  /** Closes all but the commands at once, and resolves when those have ended, too. */
  close(): Promise<void>;
}

/** Composes the product of its parts: the only file that knows all of them. Starts nothing and writes nothing. */
export function createApp(given: CommandOptions): App {
  const options = { ...given, readOnly: isReadOnly(given), warn: given.warn ?? (() => {}) };
  const { roots, storages, skipped, sources } = directoriesOf(options);
  for (const each of skipped) reportSkipped(options, each);
  const places = [...new Set(roots.map(({ real }) => real))];
  const home = homeOf(options);
  requireKnownFormat(home);
  const state = stateOf(options, home, { places, storages });
  const stored = sharedStateIn(state, options, places);
  const webhook = options.approvalWebhook && createWebhookChannel(options.approvalWebhook, stored.approvals);
  const pluginTools = pluginToolsOf(options, places);
  const parts = sessionPartsOf(options, {
    roots,
    places,
    storages,
    home,
    state,
    sources,
    pluginTools,
    webhook,
    ...stored,
  });
  const { begin, endAll } = createConversations(options.dialect);
  const { session, surface } = begin(parts);
  return {
    session,
    surface,
    skipped,
    stateDirectory: state.directory,
    ...stored,
    narrowed(directories) {
      const common = sharedRoots(roots, sortRoots(directories).roots);
      return common.length === 0 ? undefined : begin({ ...narrowSession(parts, common), seen: session.seen });
    },
    another: () => begin(parts),
    async close() {
      const ended = endAll();
      webhook?.close();
      pluginTools.close();
      parts.diagnostics?.close();
      parts.audit.flush();
      await ended;
    },
  };
}

/** Holds the parts that sessions are composed of, besides the options. */
interface Composed extends SharedState {
  readonly roots: readonly Root[];
  /** Lists the real paths of the roots. */
  readonly places: readonly string[];
  readonly storages: readonly Storage[];
  readonly home: string;
  readonly state: State;
  readonly sources: SessionParts["sources"];
  readonly pluginTools: PluginTools;
  readonly webhook: WebhookChannel | undefined;
}

function sessionPartsOf(
  options: CommandOptions & { warn: (message: string) => void },
  composed: Composed,
): SessionParts {
  const { roots, places, home, state, pluginTools, grants, suspensions, approvals: store, webhook, sources } = composed;
  const { storages } = composed;
  const { warn, principal = "agent", onNotice = () => {}, contextWindow } = options;
  const rates = createRateCounters();
  const execConfig = (): ExecConfig => execConfigOf(policy.tools().config, policy.tools().agentContext);
  const execRules = execRulesOf(options, state, execConfig);
  const policy = livePolicyOf(options, roots, home, { rates, grants, execRules, pluginTools });
  const toolset = createLiveToolset({ native: BUILTIN_TOOLS, own: pluginTools.tools, warn }, policy.tools);
  pluginTools.onAdded(toolset.refresh);
  policy.onReload(toolset.refresh);
  const redactor = redactorOf(options, places);
  const audit = auditOf(options, auditLogIn(state), places, redactor);
  const workspace = workspaceOf(options, roots, { home, state, storages });
  const commandsFor = lazyCommands(options, { home, state, workspace, config: execConfig, rules: policy.rules });
  return {
    toolset: toolset.current,
    lazyTools: pluginTools.lazyTools,
    workspace,
    commandsFor,
    rules: policy.rules,
    reload: policy.reload,
    onReload: policy.onReload,
    rates,
    principal,
    agent: agentOf(options),
    approvals: approvalsOf(
      options,
      { store, grants, execRules, audit, hasLocalChannels: state.directory !== "" },
      { home, state },
      [...(webhook ? [webhook] : []), ...approvalSocketOf(options, home, places)],
    ),
    notice: onNotice,
    onJobEnd: options.onJobEnd,
    alertTargets: alertTargetsOf({ onAlert: options.onAlert, alerts: options.alerts }, runProgram),
    warn,
    loopFor: (session) => loopGuardOf(options.loopDetection, suspensions.of(session), session),
    audit,
    sources,
    redactor,
    hooks: hooksOf(options, audit),
    diagnostics: lazyDiagnostics(options, { home, state, workspace, rules: policy.rules }),
    profile: () => shownProfileOf(policy.tools()),
    contextWindow,
    images: () => imageLimitsOf(policy.tools().config, policy.tools().agentContext),
  };
}

function reportSkipped({ onSkippedRoot: report, warn }: CommandOptions, root: SkippedRoot): void {
  if (report) report(root);
  else warn?.(`Skipped the root ${JSON.stringify(root.given)}: ${root.reason}`);
}

/** Serves a dialect before there is any directory: lists its tools, and fails every call with the reason. */
export const surfaceAwaiting = (options: Options, dialect: Dialect, reason: Fault): Surface =>
  surfaceWithoutRoots(dialect, createToolset(BUILTIN_TOOLS, toolPolicyOf(options)), reason);

const redactorOf = ({ secrets = "on", secretNames = [] }: Options, roots: readonly string[]): SecretRedactor =>
  createSecretRedactor({ mode: secrets, names: secretNames, roots, env: process.env });

const auditOf = (
  { auditRequired: isRequired = true, warn = () => {} }: Options,
  log: AuditLog,
  roots: readonly string[],
  { redactText }: SecretRedactor,
): Audit => createAudit({ log, roots, redact: redactText, isRequired, warn });

const loopGuardOf = (detection: boolean | LoopDetection = {}, stop: LoopSuspension, session: string): LoopGuard =>
  createLoopGuard(typeof detection === "boolean" ? { enabled: detection } : detection, stop, session);

const hooksOf = ({ hooks = [], hookCommands = {}, warn = () => {} }: Options, audit: Audit): HookChain =>
  createHooks([...hooks, ...commandHooks(hookCommands, runProgram, builtinTool)], { audit, warn });
