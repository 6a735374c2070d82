import { checkedFile } from "../../config/check.ts";
import type { Layer } from "../../config/layer.ts";
import { withRealPaths } from "../../config/load.ts";
import type { Config } from "../../config/schema.ts";
import type { RuleSource } from "../../runtime/rules/live-policy.ts";

/** What a call may do: rules as a configuration file has them, and what holds where none of them speaks. */
export type Policy = NonNullable<Config["policy"]>;

/** The rules of whoever writes the program, for the engine. Throws what is wrong with them, by its key. */
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
