import { createApp } from "../../app/app.ts";
import type { Options } from "../../app/options.ts";
import { isEnabled, optionsOfSandbox, type SandboxContext } from "../../app/sandbox-context.ts";
import type { OfferedTool } from "../../runtime/pipeline/surface.ts";
import type { ToolPolicyConfig } from "../../runtime/tools/config.ts";
import type { AgentContext } from "../../runtime/tools/filter-steps.ts";
import { providerOf } from "../../schema/provider-of.ts";
import { type AgentTool, agentToolOf } from "./agent-tool.ts";
import type { HoldfastOptions } from "./holdfast.ts";
import { INVENTORY, type InventoryRow } from "./inventory.ts";
import { normalizeTool } from "./normalize-tool.ts";
import { checkedPluginsOf } from "./checked-plugins.ts";
import { rulesOf } from "./policy.ts";
import { warnOf } from "./default-warn.ts";

/** Describes the agent that the tools are for, and its directories. */
export interface CreateToolsOptions extends Omit<
  HoldfastOptions,
  "roots" | "readOnly" | "toolConfig" | "agentContext" | "dialect"
> {
  /** Directories and storages that the agent may use. Defaults to those of the sandbox. */
  readonly roots?: Options["roots"];
  /**
   * In a sandbox, the agent gets the tools that are meant for sandboxes. With "ro" or "none" it cannot change files.
   */
  readonly sandbox?: SandboxContext | null;
  /** Names the agent and how deep it is nested, such as "agent:main:subagent:7". */
  readonly sessionKey?: string;
  /** Decides which tools are shown. */
  readonly config?: ToolPolicyConfig;
  /** Such as "openai". Selects the schema format, and whether the model is offered `apply_patch`. */
  readonly modelProvider?: string;
  readonly modelId?: string;
  /** The group chat that the agent is in. */
  readonly groupId?: string | null;
  /** Is true if the sender of the message owns the agent. */
  readonly senderIsOwner?: boolean;
  /** Names the messaging provider and the account that sent the request, for `tools.elevated.allowFrom`. */
  readonly messageProvider?: string;
  readonly senderId?: string;
  /** Reserved for tools that send messages. Has no effect until these exist. */
  readonly agentAccountId?: string;
}

/**
 * Returns the tools of an agent, ready for its loop. They do not include the tools of plugins' MCP servers. Throws when
 * none of the roots can be used.
 */
export function createTools(options: CreateToolsOptions): readonly AgentTool[] {
  const { surface } = createApp(appOptionsOf(options));
  const base = INVENTORY.filter(({ step }) => step === "base");
  const execution = INVENTORY.filter(({ step, name }) => step === "execution" && isForModel(name, options));
  const native = [...INVENTORY.filter(({ step }) => step === "native"), ...ownRows(surface.tools)];
  const permitted = [...base, ...execution, ...native].flatMap((row) => permittedIn(surface.tools, row));
  return permitted.map(({ tool, name }) => normalizeTool(agentToolOf(tool, surface.call, name), providerFor(options)));
}

const providerFor = ({ modelProvider, modelId }: CreateToolsOptions) => providerOf(modelProvider, modelId);

/** Offers `apply_patch` only to OpenAI's models, which are trained on patches. */
const isForModel = (name: string, options: CreateToolsOptions): boolean =>
  name !== "apply_patch" || providerFor(options) === "openai";

/** Returns the tools that are not in the inventory: those of the options and of plugins. */
const ownRows = (tools: readonly OfferedTool[]): readonly Pick<InventoryRow, "name" | "nativeName">[] =>
  tools.filter(({ name }) => !INVENTORY.some((row) => (row.nativeName ?? row.name) === name));

/** Returns the tool of a row, or nothing if the session's policy hides it or it does not exist yet. */
const permittedIn = (
  tools: readonly OfferedTool[],
  { name, nativeName = name }: Pick<InventoryRow, "name" | "nativeName">,
) => tools.filter((tool) => tool.name === nativeName).map((tool) => ({ tool, name }));

function appOptionsOf(options: CreateToolsOptions): Options {
  const {
    sandbox,
    sessionKey,
    config,
    modelProvider,
    modelId,
    groupId,
    senderIsOwner,
    messageProvider,
    senderId,
    roots,
    policy,
    plugins,
    ...rest
  } = options;
  const agentContext: AgentContext = {
    ...agentContextOf(sessionKey),
    provider: modelProvider,
    model: modelId,
    group: groupId ?? undefined,
    isOwner: senderIsOwner,
    isSandboxed: sandbox ? isEnabled(sandbox) : false,
    runsInContainer: sandbox ? isEnabled(sandbox) && sandbox.containerName !== undefined : false,
    sender: senderOf(messageProvider, senderId),
  };
  return {
    ...rest,
    ...rulesOf(policy),
    ...checkedPluginsOf(plugins, warnOf(options)),
    warn: warnOf(options),
    ...optionsOfSandbox(sandbox, roots, config),
    agentContext,
  };
}

const senderOf = (provider: string | undefined, id: string | undefined): AgentContext["sender"] =>
  provider === undefined || id === undefined ? undefined : { provider, id };

function agentContextOf(sessionKey = ""): Pick<AgentContext, "agent" | "depth"> {
  const [, agent] = /^agent:([^:]+)/.exec(sessionKey) ?? [];
  return { agent, depth: sessionKey.split(":").filter((part) => part === "subagent").length };
}
