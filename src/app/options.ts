import type { ChannelName, SecretsMode } from "../base/verdicts.ts";
import type { Config } from "../config/schema.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { CheckedPlugin } from "../plugins/plugin.ts";
import type { ApprovalRequest } from "../runtime/approvals/approval.ts";
import type { Approver } from "../runtime/approvals/approvals.ts";
import type { ApprovalWebhook } from "../runtime/approvals/webhook.ts";
import type { HookCommands } from "../runtime/hooks/command-hooks.ts";
import type { Hooks } from "../runtime/hooks/hooks.ts";
import type { LoopDetection } from "../runtime/loops/guard.ts";
import type { NoticeSink } from "../runtime/pipeline/notices.ts";
import type { RuleSource } from "../runtime/rules/live-policy.ts";
import type { ConfigKeyPath, ToolPolicyConfig } from "../runtime/tools/config.ts";
import type { ProfileName } from "../runtime/tools/profiles.ts";
import type { AgentContext } from "../runtime/tools/steps.ts";
import type { SkippedRoot } from "../storage/local/jail/roots.ts";
import type { Durability } from "../storage/writer.ts";
import type { Tool } from "../tools/tool.ts";
import type { Principal } from "../workspace/changes/change.ts";

/** Everything that an operator or a program can choose. */
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

/** Options of a command, which reports some things to the operator in its own way. */
export interface CommandOptions extends Options {
  /** Receives each root that cannot be used, instead of `warn`. */
  readonly skipped?: ((root: SkippedRoot) => void) | undefined;
  /** Receives how many directories a client put in place of the roots. */
  readonly replaced?: ((count: number) => void) | undefined;
}
