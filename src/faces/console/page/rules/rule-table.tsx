import type { RuleEntry } from "../../contract.ts";
import { pathParts } from "../format/path-parts.ts";
import { shown } from "../format/shown.ts";
import { Verdict } from "./verdict.tsx";

interface RuleTableProps {
  readonly caption: string;
  readonly rules: readonly RuleEntry[];
  /** Is true if the first rule decides. */
  readonly firstDecides?: boolean;
}

export const RuleTable = ({ caption, rules, firstDecides = false }: RuleTableProps) => (
  <table class={firstDecides ? "plain rows speak" : "plain rows speak all"}>
    <caption>{caption}</caption>
    <thead>
      <tr>
        {firstDecides && (
          <th>
            <span class="sr">Role</span>
          </th>
        )}
        <th>Where</th>
        <th>Act</th>
        <th>Path</th>
        <th>Decides</th>
      </tr>
    </thead>
    <tbody>
      {rules.map((rule, index) => (
        <tr key={index} class={firstDecides && index === 0 ? "decides" : ""}>
          {firstDecides && <td class="role">{index === 0 ? "decides" : "matches"}</td>}
          <td title={shown(rule.origin)}>
            <bdi>{shown(pathParts(rule.origin).name)}</bdi>
          </td>
          <td>{shown(rule.act)}</td>
          <td>
            <Patterns all={(rule.path ?? "**").split(", ")} />
            {rule.reason !== undefined && <bdi class="note">{shown(rule.reason)}</bdi>}
          </td>
          <td>
            <Verdict verdict={rule.decide} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** Shows a few patterns at once, and all of them on request. */
const Patterns = ({ all }: { readonly all: readonly string[] }) => {
  const [few, others] = all.length > FEW + 1 ? [all.slice(0, FEW), all.slice(FEW)] : [all, []];
  return (
    <>
      <code>
        <bdi>{shown(few.join(", "))}</bdi>
      </code>
      {others.length > 0 && (
        <details class="more">
          <summary>and {others.length} more</summary>
          <code>
            <bdi>{shown(others.join(", "))}</bdi>
          </code>
        </details>
      )}
    </>
  );
};

const FEW = 3;
