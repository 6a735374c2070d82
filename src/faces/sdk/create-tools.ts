import { createApp } from "../../app/app.ts";
import type { Options } from "../../app/options.ts";
import type { OfferedTool } from "../../runtime/pipeline/surface.ts";
import type { ToolPolicyConfig } from "../../runtime/tools/config.ts";
import type { AgentContext } from "../../runtime/tools/steps.ts";
import { providerOf } from "../../schema/provider-of.ts";
import { type AgentTool, agentToolOf } from "./agent-tool.ts";
import type { HoldfastOptions } from "./holdfast.ts";
import { INVENTORY, type InventoryRow } from "./inventory.ts";
import { normalizeTool } from "./normalize-tool.ts";
import { checkedPluginsOf } from "./joined-plugins.ts";
import { rulesOf } from "./policy.ts";
import { warnOf } from "./warning.ts";

/** Whose tools they are to be, and where. */
export interface CreateToolsOptions extends Omit<
  HoldfastOptions,
  "roots" | "readOnly" | "toolConfig" | "standing" | "dialect"
> {
  /** Directories that the agent may use; without any, the one of the sandbox. */
  readonly roots?: readonly string[];
  /** A session in a sandbox sees what is meant for sandboxes; "ro" changes nothing. */
  readonly sandbox?: SandboxContext | null;
  /** Such as "agent:main:subagent:7": of which agent, and how many sub-agents deep. */
  readonly sessionKey?: string;
  /** Which tools are shown. */
  readonly config?: ToolPolicyConfig;
  /** Such as "openai": decides which schemas the model takes, and whether it is offered `apply_patch`. */
  readonly modelProvider?: string;
  readonly modelId?: string;
  /** The group of people that the agent talks in. */
  readonly groupId?: string | null;
  /** Whether who writes is the person whom the agent belongs to. */
  readonly senderIsOwner?: boolean;
  /** Taken for the tools that run commands and send messages; without effect until these are built. */
  readonly exec?: object;
  readonly messageProvider?: string;
  readonly agentAccountId?: string;
}

export interface SandboxContext {
  readonly enabled?: boolean;
  readonly workspaceDir?: string;
  readonly workspaceAccess?: "none" | "ro" | "rw";
}

/** The tools of an agent, ready for its loop; those of servers of plugins are not among them. Throws when none of the roots can be used. */
export function createTools(options: CreateToolsOptions): readonly AgentTool[] {
  const { surface } = createApp(appOptionsOf(options));
  const base = INVENTORY.filter(({ step }) => step === "base");
  const execution = INVENTORY.filter(({ step, name }) => step === "execution" && isForModel(name, options));
  const native = [...INVENTORY.filter(({ step }) => step === "native"), ...ownRows(surface.tools)];
  const permitted = [...base, ...execution, ...native].flatMap((row) => permittedIn(surface.tools, row));
  return permitted.map(({ tool, name }) => normalizeTool(agentToolOf(tool, surface.call, name), providerFor(options)));
}

const providerFor = ({ modelProvider, modelId }: CreateToolsOptions) => providerOf(modelProvider, modelId);

/** Patches are what OpenAI's models are used to. */
const isForModel = (name: string, options: CreateToolsOptions): boolean =>
  name !== "apply_patch" || providerFor(options) === "openai";

/** Tools that came with the options, or with a plugin. */
const ownRows = (tools: readonly OfferedTool[]): readonly Pick<InventoryRow, "name" | "ours">[] =>
  tools.filter(({ name }) => !INVENTORY.some((row) => (row.ours ?? row.name) === name));

/** What the policy of the session hides is not there; nor is what nobody has built. */
const permittedIn = (tools: readonly OfferedTool[], { name, ours = name }: Pick<InventoryRow, "name" | "ours">) =>
  tools.filter((tool) => tool.name === ours).map((tool) => ({ tool, name }));

function appOptionsOf(options: CreateToolsOptions): Options {
  const {
    sandbox,
    sessionKey,
    config,
    modelProvider,
    modelId,
    groupId,
    senderIsOwner,
    roots,
    policy,
    plugins,
    ...rest
  } = options;
  const isSandboxed = sandbox?.enabled ?? false;
  const standing: AgentContext = {
    ...agentContextOf(sessionKey),
    provider: modelProvider,
    model: modelId,
    group: groupId ?? undefined,
    isOwner: senderIsOwner,
    isSandboxed,
  };
  return {
    ...rest,
    ...rulesOf(policy),
    ...checkedPluginsOf(plugins, warnOf(options)),
    warn: warnOf(options),
    roots: roots ?? (sandbox?.workspaceDir === undefined ? [] : [sandbox.workspaceDir]),
    toolConfig: config,
    standing,
    readOnly: isSandboxed && sandbox?.workspaceAccess !== "rw",
  };
}

function agentContextOf(sessionKey = ""): Pick<AgentContext, "agent" | "depth"> {
  const [, agent] = /^agent:([^:]+)/.exec(sessionKey) ?? [];
  return { agent, depth: sessionKey.split(":").filter((part) => part === "subagent").length };
}
