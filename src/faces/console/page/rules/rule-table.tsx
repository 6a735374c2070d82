import type { RuleEntry } from "../../contract.ts";
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
          <td>
            <bdi>{shown(rule.origin)}</bdi>
          </td>
          <td>{shown(rule.act)}</td>
          <td>
            <code>
              <bdi>{shown(rule.path ?? "**")}</bdi>
            </code>
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
