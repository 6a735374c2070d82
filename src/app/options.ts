import type { ChannelName, SecretsMode } from "../base/verdicts.ts";
import type { Config } from "../config/schema.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { ExistingContainer } from "../exec/sandbox/docker/existing-container.ts";
import type { CheckedPlugin } from "../plugins/plugin.ts";
import type { ApprovalRequest } from "../runtime/approvals/approval.ts";
import type { Approver } from "../runtime/approvals/approvals.ts";
import type { ApprovalWebhook } from "../runtime/approvals/webhook.ts";
import type { DiagnosticsConfig } from "../runtime/diagnostics/server-pool.ts";
import type { HookCommands } from "../runtime/hooks/command-hooks.ts";
import type { Hooks } from "../runtime/hooks/hooks.ts";
import type { LoopDetection } from "../runtime/loops/guard.ts";
import type { NoticeSink } from "../runtime/pipeline/notices.ts";
import type { JobEndSink } from "../runtime/sessions/job-ends.ts";
import type { RuleSource } from "../runtime/rules/live-policy.ts";
import type { ConfigKeyPath, ExecConfig, ToolPolicyConfig } from "../runtime/tools/config.ts";
import type { ProfileName } from "../runtime/tools/profiles.ts";
import type { AgentContext } from "../runtime/tools/filter-steps.ts";
import type { SkippedRoot } from "../storage/local/jail/roots.ts";
import type { MountableStorage, StorageRegistry } from "../storage/storage.ts";
import type { Durability } from "../storage/writer.ts";
import type { Tool } from "../tools/tool.ts";
import type { Principal } from "../workspace/changes/change.ts";

/** A storage of the program, such as `memoryStorage()`. Paths in it begin with "//" and its name: "//scratch/a.ts". */
export interface NamedStorage {
  /** Consists of letters, digits, "_", "-" and ".", and begins with a letter or a digit. */
  readonly name: string;
  readonly storage: MountableStorage;
}

/** Holds everything that an operator or a program can choose. */
export interface Options {
  /** Lists what the agent may use: directories, URLs of storages such as "memory://scratch", and storages by name. */
  readonly roots: readonly (string | NamedStorage)[];
  /** Adds schemes of roots such as "memory://scratch", which is always known. */
  readonly storages?: StorageRegistry | undefined;
  /** Adds directories with names that dialects can use. */
  readonly sources?: Readonly<Record<string, string>> | undefined;
  /** Adds tools of your own, made by `defineTool`. */
  readonly tools?: readonly Tool[] | undefined;
  /** Adds plugins that were checked. */
  readonly plugins?: readonly CheckedPlugin[] | undefined;
  /** Lists the files that plugins come from. No tool can write them. */
  readonly pluginFiles?: readonly string[] | undefined;
  /** Serves the tools of another system, from `loadDialect`; without it the native tools. */
  readonly dialect?: Dialect | undefined;
  /** The context window of the model in tokens, which sets the size of a page. */
  readonly contextWindow?: number | undefined;
  /** Configures when calls that repeat themselves are warned of and refused, or turns that off. */
  readonly loopDetection?: boolean | LoopDetection | undefined;
  /** Refuses all changes. */
  readonly readOnly?: boolean | undefined;
  /** Selects the tools by a profile, instead of the one that `toolConfig` names or else "files". */
  readonly profile?: ProfileName | undefined;
  /**
   * Lets the agent run commands. With `security: "allowlist"`, those that are known to be harmless run, and others are
   * asked for; with "full", all run. Without it there are none.
   */
  readonly exec?: ExecConfig | undefined;
  /** Runs the commands in a container that the program made. It shows a root, usually the first, as a directory. */
  readonly container?: (ExistingContainer & { readonly root?: string | undefined }) | undefined;
  /** Selects the tools in full. */
  readonly toolConfig?: ToolPolicyConfig | undefined;
  /** Returns where the operator wrote a key of `toolConfig`, for explanations. */
  readonly originOf?: ((key: ConfigKeyPath) => string | undefined) | undefined;
  /**
   * Describes the agent of the session, which selects the parts of `toolConfig` for agents, models, groups and
   * sub-agents.
   */
  readonly agentContext?: AgentContext | undefined;
  /** Lets a change survive a power cut ("power"), at the price of waiting for the disk. */
  readonly durability?: Durability | undefined;
  /** Says who is responsible for changes: the trash of an agent is kept for a day, that of a person for a week. */
  readonly principal?: Principal | undefined;
  /** Sets for how many hours deleted files can be restored; the default depends on the principal. */
  readonly trashHours?: number | undefined;
  /** The directory of history, trash and the audit log, out of reach of every tool. */
  readonly stateDirectory?: string | undefined;
  /** Returns the path of ripgrep, or null to search without it; the default is the packaged one. */
  readonly ripgrep?: (() => Promise<string | null>) | undefined;
  /** Provides the rules of configuration files. */
  readonly ruleSource?: RuleSource | undefined;
  /** The configuration file that the operator named instead of the default one. No tool can write it. */
  readonly configFile?: string | undefined;
  /** Lists functions that run before and after every call, in this order. */
  readonly hooks?: readonly Hooks[] | undefined;
  /** Lists programs of the operator that run after those. */
  readonly hookCommands?: HookCommands | undefined;
  /** Hides secrets in files made for them ("on"), in all files ("strict"), or nowhere ("off"). */
  readonly secrets?: SecretsMode | undefined;
  /** Lists names whose values are secret whatever they look like, in files and in the environment. */
  readonly secretNames?: readonly string[] | undefined;
  /** Answers where a rule requires approval. Without it a person can answer at the command line. */
  readonly approver?: Approver | undefined;
  /** Names the channel that the approver counts as, for rules with channels; the default is "sdk". */
  readonly approverChannel?: ChannelName | undefined;
  /** Also posts questions to a webhook, each with a link that answers it. */
  readonly approvalWebhook?: ApprovalWebhook | undefined;
  /** Also asks a program of the user over a socket; `path` is that of `exec-approvals.sock` in the state by default. */
  readonly approvalSocket?: { readonly path?: string | undefined; readonly token?: string | undefined } | undefined;
  /** Sets how long a call waits for an answer before it fails with `pending`. */
  readonly approvalWaitMs?: number | undefined;
  /** Is called for every question that waits for an answer, with the command that shows it to a person. */
  readonly onApprovalRequest?: ((request: ApprovalRequest) => void) | undefined;
  /** Returns the command that messages name for the command line of Holdfast; the default is "holdfast". */
  readonly cliCommand?: (() => string) | undefined;
  /** Says that the session ends with its first call: a command has then to be waited for to its end. */
  readonly isOneCall?: boolean | undefined;
  /** Refuses changes while the audit log cannot be written; the default is true. */
  readonly auditRequired?: boolean | undefined;
  /** Receives notices of what was done, where the rules ask for them. */
  readonly onNotice?: NoticeSink | undefined;
  /** Receives the end of each command that went on in the background, at once. */
  readonly onJobEnd?: JobEndSink | undefined;
  /** Receives alerts of the agent, as one line. */
  readonly onAlert?: ((line: string) => void) | undefined;
  /** Also sends alerts to a URL or a program. */
  readonly alerts?: Config["alerts"];
  /** Asks language servers for new errors after each change that `write`, `edit` and `apply_patch` make. */
  readonly diagnostics?: DiagnosticsConfig | undefined;
  /**
   * Receives warnings of roots, plugins and hooks that do not work, and of state that cannot be written. Without it the
   * SDK uses `process.emitWarning`.
   */
  readonly warn?: ((message: string) => void) | undefined;
}

/** Options of a command, which reports some things to the operator in its own way. */
export interface CommandOptions extends Options {
  /** Leads people to the console of the user, where one runs; the default is true. */
  readonly consoleLinks?: boolean | undefined;
  /** Receives each root that cannot be used, instead of `warn`. */
  readonly onSkippedRoot?: ((root: SkippedRoot) => void) | undefined;
  /** Receives how many directories a client put in place of the roots. */
  readonly onRootsReplaced?: ((count: number) => void) | undefined;
}
