import { DEFAULT_PROFILE, type ProfileName } from "./profiles.ts";
import { checkToolPolicy, type ConfigKeyPath, type ToolPolicyConfig } from "./config.ts";
import { profileOf, type AgentContext } from "./steps.ts";
import type { ToolPolicy } from "./visibility.ts";

/** Says which tools are shown, as written, and where each key is written. */
export interface WrittenTools {
  readonly profile?: ProfileName | undefined;
  readonly toolConfig?: ToolPolicyConfig | undefined;
  readonly originOf?: ((key: ConfigKeyPath) => string | undefined) | undefined;
  /** Names the flag that decides a key, whatever is written: "--read-only". */
  readonly startedWith?: ((key: ConfigKeyPath) => string | undefined) | undefined;
}

/** The same, and what else is known of the session. */
interface ToolPolicyInput extends WrittenTools {
  readonly readOnly?: boolean | undefined;
  readonly agentContext?: AgentContext | undefined;
}

/** Throws when what is written contradicts itself. */
export function toolPolicyOf(said: ToolPolicyInput): ToolPolicy {
  const { toolConfig = {}, profile, agentContext = {}, originOf, startedWith } = said;
  const tools = { profile: DEFAULT_PROFILE, ...toolConfig.tools, ...(profile && { profile }) };
  const config = { ...toolConfig, readOnly: isReadOnly(said), tools };
  checkToolPolicy(config);
  return { config, agentContext, ...(originOf && { originOf }), ...(startedWith && { startedWith }) };
}

/** A setting that only tightens counts wherever it was said. */
export const isReadOnly = ({ readOnly, toolConfig }: ToolPolicyInput): boolean =>
  readOnly === true || toolConfig?.readOnly === true;

/** Returns the profile that the session tool shows. */
export const shownProfileOf = ({ config, agentContext }: ToolPolicy): string =>
  config.readOnly === true ? "readonly" : profileOf(config, agentContext);
