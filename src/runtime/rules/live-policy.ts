import { LIMITS } from "../../base/limits.ts";
import type { Layer } from "../../config/layer.ts";
import type { Grant, Rules } from "./rules.ts";
import type { WrittenTools } from "../tools/policy.ts";
import type { ToolPolicy } from "../tools/visibility.ts";

/** Where rules are written. */
export interface RuleSource {
  readonly layers: readonly Layer[];
  /** What is written there of tools, instead of what the session began with. */
  readonly tools?: WrittenTools | undefined;
  /** What is written there now, if that is something else. Throws when it cannot be understood. */
  renewed?(): Promise<RuleSource | undefined>;
}

/** The same source, renewed as well when what `stampNow` returns has changed, also while the files cannot be used. */
export function reloadedWith(source: RuleSource, stampNow: () => string): RuleSource {
  const stamp = stampNow();
  return {
    ...source,
    async renewed() {
      const isChanged = stampNow() !== stamp;
      try {
        const fresh = await source.renewed?.();
        return fresh || isChanged ? reloadedWith(fresh ?? source, stampNow) : undefined;
      } catch (error) {
        if (isChanged) return reloadedWith(source, stampNow);
        throw error;
      }
    },
  };
}

/** Turns what is written into what holds. Each throws at what contradicts itself. */
export interface PolicyFactories {
  rules(layers: readonly Layer[], grants: readonly Grant[]): Rules;
  tools(written: WrittenTools | undefined): ToolPolicy;
}

/**
 * What holds now. A call takes it once: whoever edits it meanwhile neither stops the call nor changes what holds for it.
 * What is written anew holds for calls from a second later on, all of it; where any of it cannot be used, all stays as it was.
 */
export interface LivePolicy {
  readonly rules: () => Rules;
  /** Which tools are shown: the same value until something else is written. */
  readonly tools: () => ToolPolicy;
  /** Settles once what is written now holds; undefined when somebody looked within the last second. */
  readonly reload: () => Promise<void> | undefined;
  /** Calls back whenever what was written anew has come to hold. */
  readonly onReload: (tell: () => void) => void;
}

export function createLivePolicy(
  source: RuleSource,
  make: PolicyFactories,
  grantsNow: () => readonly Grant[],
  warn: (message: string) => void,
): LivePolicy {
  let grants: readonly Grant[] = NONE;
  let { layers } = source;
  let rules = make.rules(layers, grants);
  let tools = make.tools(source.tools);
  rules.unusable.forEach(warn);
  const hearers: (() => void)[] = [];
  const look = createReloader(source, warn, (renewed) => {
    const fresh = { rules: make.rules(renewed.layers, grants), tools: make.tools(renewed.tools) };
    ({ layers } = renewed);
    for (const each of fresh.rules.unusable) if (!rules.unusable.includes(each)) warn(each);
    ({ rules, tools } = fresh);
    for (const tell of hearers) tell();
  });
  return {
    rules() {
      void look();
      const given = grantsNow();
      if (given !== grants) {
        grants = given;
        rules = make.rules(layers, grants);
      }
      return rules;
    },
    tools() {
      void look();
      return tools;
    },
    reload: look,
    onReload: (tell) => void hearers.push(tell),
  };
}

/** Looks at most once a second whether something else is written. What cannot be taken is told once. */
function createReloader(
  source: RuleSource,
  warn: (message: string) => void,
  take: (renewed: RuleSource) => void,
): () => Promise<void> | undefined {
  let current = source;
  let nextMs = Date.now() + LIMITS.configPollMs;
  let told = "";
  let looking: Promise<void> | undefined;
  const look = async (): Promise<void> => {
    try {
      const renewed = await current.renewed?.();
      if (!renewed) return;
      take(renewed);
      current = renewed;
      told = "";
    } catch (error) {
      const problem = `Rules and tools stay as they were: ${error instanceof Error ? error.message : String(error)}`;
      if (problem !== told) warn(problem);
      told = problem;
    } finally {
      nextMs = Date.now() + LIMITS.configPollMs;
    }
  };
  return () => {
    if (looking || !current.renewed || Date.now() < nextMs) return looking;
    looking = look().finally(() => (looking = undefined));
    return looking;
  };
}

const NONE: readonly Grant[] = [];
