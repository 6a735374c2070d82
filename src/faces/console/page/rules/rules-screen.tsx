import type { RuleEntry } from "../../contract.ts";
import { Failure } from "../atoms/callout.tsx";
import { Icon } from "../atoms/icon.tsx";
import { counted } from "../format/quantity.ts";
import { shown } from "../format/shown.ts";
import { rules } from "../state/console-state.ts";
import { useResource } from "../state/resource.ts";
import { GrantTable } from "./grant-table.tsx";
import { RuleExplainer } from "./rule-explainer.tsx";
import { RuleTable } from "./rule-table.tsx";

/** Explains which rule decides about a path or a command, and lists the rules and lasting answers. */
export function RulesScreen() {
  const loaded = useResource(rules);
  return (
    <section class="screen one on-rules" aria-label="Rules">
      <div class="col list">
        <header class="bar">
          <h2 class="name">Rules</h2>
          <span class="count">The strictest rule that matches decides</span>
          <span class="grow" />
          {loaded && loaded.problems.length > 0 && (
            <span class="takeback warn">
              <Icon name="warn" />
              {counted(loaded.problems.length, "problem")}
            </span>
          )}
        </header>
        <div class="scroll pad measure">
          <Failure text={rules.failure.value} />
          {loaded?.problems.map((problem) => (
            <p class="verdict warn" key={problem}>
              <Icon name="warn" />
              <bdi>{shown(problem)}</bdi>
            </p>
          ))}
          <RuleExplainer />
          {loaded && <GrantTable grants={loaded.grants} />}
          {loaded && <RulesInForce rules={loaded.rules} />}
        </div>
      </div>
    </section>
  );
}

/** Shows the rules that somebody wrote; those that are built in are many, so they are folded. */
function RulesInForce({ rules: all }: { readonly rules: readonly RuleEntry[] }) {
  const own = all.filter(({ origin }) => origin !== BUILT_IN);
  const builtIn = all.filter(({ origin }) => origin === BUILT_IN);
  return (
    <>
      {own.length > 0 && <RuleTable caption="Rules of your files" rules={own} />}
      {builtIn.length > 0 && (
        <details class="builtin" open={own.length === 0}>
          <summary>{counted(builtIn.length, "built-in rule")}</summary>
          <RuleTable caption="Built-in rules" rules={builtIn} />
        </details>
      )}
    </>
  );
}

const BUILT_IN = "built in";
