import { LIMITS } from "../../base/limits.ts";
import type { Layer } from "../../config/layer.ts";
import type { Grant, Rules } from "./rules.ts";
import type { ConfiguredTools } from "../tools/policy.ts";
import type { ToolPolicy } from "../tools/visibility.ts";

/** Holds written rules, and knows how to read them again. */
export interface RuleSource {
  readonly layers: readonly Layer[];
  /** Holds the written tool policy, which replaces the one that the session began with. */
  readonly tools?: ConfiguredTools | undefined;
  /** Reads the files again. Resolves to undefined if nothing changed. Rejects when they cannot be used. */
  reload?(): Promise<RuleSource | undefined>;
}

/** Also reloads a source when the result of `stampNow` has changed, even while the files cannot be used. */
export function reloadedWith(source: RuleSource, stampNow: () => string): RuleSource {
  const stamp = stampNow();
  return {
    ...source,
    async reload() {
      const isChanged = stampNow() !== stamp;
      try {
        const fresh = await source.reload?.();
        return fresh || isChanged ? reloadedWith(fresh ?? source, stampNow) : undefined;
      } catch (error) {
        if (isChanged) return reloadedWith(source, stampNow);
        throw error;
      }
    },
  };
}

/** Compiles written rules and tool policies. Both throw for contradictions. */
export interface PolicyFactories {
  rules(layers: readonly Layer[], grants: readonly Grant[]): Rules;
  tools(written: ConfiguredTools | undefined): ToolPolicy;
}

/**
 * Holds the rules and tools in force. A call takes them once, so that an edit in the meantime neither stops the call
 * nor changes its rules. An edit takes effect for calls a second later, completely or, where part of it cannot be used,
 * not at all.
 */
export interface LivePolicy {
  readonly rules: () => Rules;
  /** Returns the tool policy: the same value until a reload changes it. */
  readonly tools: () => ToolPolicy;
  /** Resolves once the files as they are now are in force; undefined when they were checked within the last second. */
  readonly reload: () => Promise<void> | undefined;
  /** Calls the listener after each reload. */
  readonly onReload: (listener: () => void) => void;
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
  const listeners: (() => void)[] = [];
  const reload = createReloader(source, warn, (renewed) => {
    const fresh = { rules: make.rules(renewed.layers, grants), tools: make.tools(renewed.tools) };
    ({ layers } = renewed);
    for (const each of fresh.rules.unusable) if (!rules.unusable.includes(each)) warn(each);
    ({ rules, tools } = fresh);
    for (const listener of listeners) listener();
  });
  return {
    rules() {
      void reload();
      const given = grantsNow();
      if (given !== grants) {
        grants = given;
        rules = make.rules(layers, grants);
      }
      return rules;
    },
    tools() {
      void reload();
      return tools;
    },
    reload,
    onReload: (listener) => void listeners.push(listener),
  };
}

/** Checks the source at most once a second. Warns once of each problem that keeps the policy as it was. */
function createReloader(
  source: RuleSource,
  warn: (message: string) => void,
  apply: (renewed: RuleSource) => void,
): () => Promise<void> | undefined {
  let current = source;
  let nextMs = Date.now() + LIMITS.configPollMs;
  let reported = "";
  let checking: Promise<void> | undefined;
  const check = async (): Promise<void> => {
    try {
      const renewed = await current.reload?.();
      if (!renewed) return;
      apply(renewed);
      current = renewed;
      reported = "";
    } catch (error) {
      const problem = `Rules and tools stay as they were: ${error instanceof Error ? error.message : String(error)}`;
      if (problem !== reported) warn(problem);
      reported = problem;
    } finally {
      nextMs = Date.now() + LIMITS.configPollMs;
    }
  };
  return () => {
    if (checking || !current.reload || Date.now() < nextMs) return checking;
    checking = check().finally(() => (checking = undefined));
    return checking;
  };
}

const NONE: readonly Grant[] = [];
