import type { Layer } from "../../config/layer.ts";
import type { Config } from "../../config/schema.ts";
import { compileRule } from "./compile-rule.ts";
import { checkToolPolicy } from "../tools/config.ts";

/** Throws where the tools or rules of a configuration file cannot be used. */
export function requireUsable({ tools }: Config, { name, rules, roots = [] }: Layer): void {
  checkToolPolicy({ tools });
  for (const rule of rules) compileRule(rule, { layer: name, kind: "rule", roots });
}
