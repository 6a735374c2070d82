import { DEFAULT_PROFILE, type ProfileName } from "./profiles.ts";
import {
  checkToolPolicy,
  type ConfigKeyPath,
  type ExecConfig,
  isExecOn,
  type ToolPolicyConfig,
  type ToolScope,
} from "./config.ts";
import { execConfigOf, profileOf, type AgentContext } from "./filter-steps.ts";
import type { ToolPolicy } from "./visibility.ts";

/** The tool policy as it is configured, and where each key is set. */
export interface ConfiguredTools {
  readonly profile?: ProfileName | undefined;
  readonly exec?: ExecConfig | undefined;
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
  const { toolConfig = {}, profile, exec, agentContext = {}, originOf, startedWith } = input;
  const given = exec ? { ...toolConfig, exec } : toolConfig;
  const chosen = { ...given.tools, ...(profile && { profile }) };
  const isOn = isExecOn(execConfigOf(given, agentContext));
  const tools = { profile: DEFAULT_PROFILE, ...chosen, ...(isOn && withCommands(chosen)) };
  const config = { ...given, readOnly: isReadOnly(input), tools };
  checkToolPolicy(config);
  return { config, agentContext, ...(originOf && { originOf }), ...(startedWith && { startedWith }) };
}

/** Adds the tools that run commands to the default profile; a profile or a list that was chosen stays as it is. */
const withCommands = ({ profile, allow, alsoAllow = [] }: ToolScope): Pick<ToolScope, "alsoAllow"> =>
  profile === undefined && !allow?.length ? { alsoAllow: [...alsoAllow, "group:runtime"] } : {};

/** A setting that only tightens counts wherever it is set. */
export const isReadOnly = ({ readOnly, toolConfig }: ToolPolicyInput): boolean =>
  readOnly === true || toolConfig?.readOnly === true;

/** Returns the profile that the session tool shows. */
export const shownProfileOf = ({ config, agentContext }: ToolPolicy): string =>
  config.readOnly === true ? "readonly" : profileOf(config, agentContext);
