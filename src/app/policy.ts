import { homedir } from "node:os";
import { isInNamedStorage } from "../base/paths.ts";
import type { PluginTools } from "../plugins/plugin-tools.ts";
import type { Grants } from "../runtime/approvals/grants.ts";
import { MAIN_AGENT } from "../runtime/audit/audit.ts";
import { programsOf } from "../runtime/hooks/started-programs.ts";
import { createExecRules, type ExecRules } from "../runtime/rules/exec-rules.ts";
import { type GuardedFiles, guardsFor, readOnlyLayer } from "../runtime/rules/guards.ts";
import { createLivePolicy, type LivePolicy, reloadedWith } from "../runtime/rules/live-policy.ts";
import type { RateCounters } from "../runtime/rules/rate-limits.ts";
import { createRules, type Guard } from "../runtime/rules/rules.ts";
import { dialectRules } from "../runtime/rules/templates.ts";
import { type ExecConfig, unknownEntries } from "../runtime/tools/config.ts";
import { toolPolicyOf, type ConfiguredTools } from "../runtime/tools/policy.ts";
import type { ToolPolicy } from "../runtime/tools/visibility.ts";
import { kindAt, linksOnPath } from "../storage/local/jail/resolved-links.ts";
import type { Root } from "../storage/local/jail/roots.ts";
import { stateHome } from "../storage/local/state/home.ts";
import type { State } from "../storage/state.ts";
import { BUILTIN_TOOLS } from "../tools/index.ts";
import type { Options } from "./options.ts";

/** Composes the live policy of configuration files, this session, the program, and grants. */
export function livePolicyOf(
  options: Options,
  roots: readonly Root[],
  home: string,
  { rates, grants, execRules, pluginTools }: PolicyParts,
): LivePolicy {
  const guards = (): readonly Guard[] => guardsFor(guardedIn(options, roots, home), { linksOnPath, kindAt });
  const source = reloadedWith(options.ruleSource ?? { layers: [] }, () => JSON.stringify(guards()));
  const { dialect } = options;
  const places = [...new Set(roots.map(({ real }) => real))];
  const defaults = dialect ? dialectRules(dialect.name, dialect.verdicts) : [];
  const hasRedaction = options.secrets !== "off";
  const own = options.readOnly ? [readOnlyLayer(source.tools)] : [];
  return createLivePolicy(
    source,
    {
      rules: (layers, granted) =>
        createRules(
          {
            roots: places,
            layers: [...layers, ...own],
            guards: guards(),
            grants: granted,
            hasRedaction,
            defaults,
            decideExec: execRules.decide,
          },
          rates,
        ),
      tools: (written) => checkedToolsOf({ ...options, ...written }, pluginTools),
    },
    grants.current,
    options.warn ?? (() => {}),
  );
}

interface PolicyParts {
  readonly rates: RateCounters;
  readonly grants: Grants;
  readonly execRules: ExecRules;
  readonly pluginTools: PluginTools;
}

/** Lists what an agent must neither write nor redirect by a link, wherever it lies. */
const guardedIn = (options: Options, roots: readonly Root[], home: string): GuardedFiles => ({
  roots: roots.filter(({ real }) => !isInNamedStorage(real)),
  stored: roots.map(({ real }) => real),
  stateHomes: [options.stateDirectory ?? home, stateHome(process.env)],
  configFile: options.configFile,
  pluginFiles: options.pluginFiles ?? [],
  programs: programsOf(options),
  env: process.env,
});

/** Warns of entries that name no tool. */
function checkedToolsOf(options: Options & ConfiguredTools, pluginTools: PluginTools): ToolPolicy {
  const policy = toolPolicyOf(options);
  for (const entry of unknownEntries(policy.config, [...BUILTIN_TOOLS, ...pluginTools.tools()], pluginTools.knownWords))
    options.warn?.(`Skipped an entry of ${entry}`);
  return policy;
}

/** Names the agent that approvals and grants are for. */
export const agentOf = ({ agentContext }: Options): string => agentContext?.agent ?? MAIN_AGENT;

export const execRulesOf = (options: Options, state: State, config: () => ExecConfig): ExecRules =>
  createExecRules({ state, agent: agentOf(options), config, home: homedir(), warn: options.warn ?? (() => {}) });
