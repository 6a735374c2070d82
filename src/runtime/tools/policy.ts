import { DEFAULT_PROFILE, type ProfileName } from "./profiles.ts";
import { checkToolPolicy, type ConfigKeyPath, type ToolPolicyConfig } from "./config.ts";
import { profileOf, type AgentContext } from "./filter-steps.ts";
import type { ToolPolicy } from "./visibility.ts";

/** The tool policy as it is configured, and where each key is set. */
export interface ConfiguredTools {
  readonly profile?: ProfileName | undefined;
  readonly toolConfig?: ToolPolicyConfig | undefined;
  readonly originOf?: ((key: ConfigKeyPath) => string | undefined) | undefined;
  /** Returns the flag that decides a key, whatever the files say: "--read-only". */
  readonly startedWith?: ((key: ConfigKeyPath) => string | undefined) | undefined;
}

/** Adds what else is known of the session. */
interface ToolPolicyInput extends ConfiguredTools {
  readonly readOnly?: boolean | undefined;
  readonly agentContext?: AgentContext | undefined;
}

/** Throws when the configuration contradicts itself. */
export function toolPolicyOf(input: ToolPolicyInput): ToolPolicy {
  const { toolConfig = {}, profile, agentContext = {}, originOf, startedWith } = input;
  const tools = { profile: DEFAULT_PROFILE, ...toolConfig.tools, ...(profile && { profile }) };
  const config = { ...toolConfig, readOnly: isReadOnly(input), tools };
  checkToolPolicy(config);
  return { config, agentContext, ...(originOf && { originOf }), ...(startedWith && { startedWith }) };
}

/** A setting that only tightens counts wherever it is set. */
export const isReadOnly = ({ readOnly, toolConfig }: ToolPolicyInput): boolean =>
  readOnly === true || toolConfig?.readOnly === true;

/** Returns the profile that the session tool shows. */
export const shownProfileOf = ({ config, agentContext }: ToolPolicy): string =>
  config.readOnly === true ? "readonly" : profileOf(config, agentContext);
