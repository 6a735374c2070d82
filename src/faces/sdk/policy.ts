import { checkedFile } from "../../config/check.ts";
import type { Layer } from "../../config/layer.ts";
import { withRealPaths } from "../../config/load.ts";
import type { Config } from "../../config/schema.ts";
import type { RuleSource } from "../../runtime/rules/live-policy.ts";

/** Decides what calls may do: the `policy` of a configuration file, with rules and a template for the rest. */
export type Policy = NonNullable<Config["policy"]>;

/** Converts the policy of the options for the engine. Throws a fault that names the wrong key. */
export const rulesOf = (policy: Policy | undefined): { readonly ruleSource?: RuleSource } =>
  policy ? { ruleSource: { layers: [layerOf(policy)] } } : {};

function layerOf(policy: Policy): Layer {
  const { config } = checkedFile("the options", JSON.stringify({ policy }, null, 1));
  const { rules = [], template } = config.policy ?? {};
  return {
    name: "user",
    rules: rules.map((rule, nth) => withRealPaths({ ...rule, origin: `policy.rules[${nth}]` })),
    template: template && { name: template, origin: "policy.template" },
  };
}
