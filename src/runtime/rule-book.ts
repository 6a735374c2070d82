import { LIMITS } from "../base/limits.ts";
import type { Layer } from "../config/layer.ts";
import type { Grant, Rules } from "./rules.ts";

/** Where rules are written. */
export interface RuleSource {
  readonly layers: readonly Layer[];
  /** What is written there now, if that is something else. Throws when it cannot be understood. */
  renewed?(): Promise<RuleSource | undefined>;
}

/**
 * The rules as they are now. A call takes them once: whoever edits them meanwhile neither stops it nor changes what holds
 * for it. What is written anew holds from about a second later on; where it cannot be used, the old rules stay.
 */
export function createRuleBook(
  source: RuleSource,
  make: (layers: readonly Layer[], grants: readonly Grant[]) => Rules,
  grantsNow: () => readonly Grant[],
  warn: (message: string) => void,
): () => Rules {
  let current = source;
  let grants: readonly Grant[] = NONE;
  let rules = make(source.layers, grants);
  let nextMs = Date.now() + LIMITS.configLookMs;
  let told = "";
  const look = async (): Promise<void> => {
    try {
      const renewed = await current.renewed?.();
      if (!renewed) return;
      current = renewed;
      rules = make(renewed.layers, grants);
    } catch (error) {
      const problem = `The rules stay as they were: ${error instanceof Error ? error.message : String(error)}`;
      if (problem !== told) warn(problem);
      told = problem;
    } finally {
      nextMs = Date.now() + LIMITS.configLookMs;
    }
  };
  return function now() {
    if (current.renewed && Date.now() >= nextMs) {
      nextMs = Infinity;
      void look();
    }
    const given = grantsNow();
    if (given !== grants) {
      grants = given;
      rules = make(current.layers, grants);
    }
    return rules;
  };
}

const NONE: readonly Grant[] = [];
