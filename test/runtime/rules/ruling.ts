import type { LayerName, TemplateName, Verdict } from "../../../src/base/verdicts.ts";
import type { RuleEntry } from "../../../src/config/rule.ts";
import { createRateCounters } from "../../../src/runtime/rules/rate-limits.ts";
import { createRules, type Grant, type Guard, type Rules } from "../../../src/runtime/rules/rules.ts";

/** All that was said, by whom; the root is /w. */
export interface ExpectedDecision {
  readonly layers?: Partial<Record<LayerName, readonly RuleEntry[]>>;
  readonly templates?: Partial<Record<LayerName, TemplateName>>;
  readonly grants?: readonly Partial<Grant>[];
  readonly guards?: readonly Guard[];
  readonly roots?: readonly string[];
  readonly now?: string;
}

export function rulesOf({
  layers = {},
  templates = {},
  grants = [],
  guards = [],
  roots = ["/w"],
  now,
}: ExpectedDecision): Rules {
  const names = new Set([...Object.keys(layers), ...Object.keys(templates)] as LayerName[]);
  const nowMs = () => (now === undefined ? Date.now() : new Date(`2026-03-04T${now}`).getTime());
  return createRules(
    {
      roots,
      layers: [...names].map((name) => ({
        name,
        rules: (layers[name] ?? []).map((rule, nth) => ({ ...rule, origin: `${name}.jsonc:${nth + 1}` })),
        template: templates[name] && { name: templates[name], origin: `${name}.jsonc:1` },
      })),
      guards,
      grants: grants.map((grant) => ({ act: [], roots, ...grant, origin: "granted" })),
    },
    createRateCounters(nowMs),
    nowMs,
  );
}

export const rule = (act: RuleEntry["act"], path: string | undefined, decide: Verdict, more: Partial<RuleEntry> = {}) =>
  ({ act, decide, ...(path !== undefined && { path }), ...more }) satisfies RuleEntry;

export const user = (...rules: readonly RuleEntry[]): ExpectedDecision => ({ layers: { user: rules } });
