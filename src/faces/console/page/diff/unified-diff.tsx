import { shown } from "../format/shown.ts";
import { CLASSES, MarkedText } from "./marked-text.tsx";
import type { UnifiedRow } from "./rows.ts";

interface UnifiedDiffProps {
  readonly rows: readonly UnifiedRow[];
  readonly label: string;
}

export const UnifiedDiff = ({ rows, label }: UnifiedDiffProps) => (
  <div class="diff-scroll unified" tabIndex={0} role="region" aria-label={`Unified diff of ${label}`}>
    <table class="diff">
      <tbody>
        {rows.map((row, index) => (
          <Row key={index} row={row} />
        ))}
      </tbody>
    </table>
  </div>
);

function Row({ row }: { readonly row: UnifiedRow }) {
  if (row.kind === "cut")
    return (
      <tr class="hunk">
        <td class="n">⋯</td>
        <td class="n" />
        <td class="s" />
        <td class="c">{shown(row.text)}</td>
      </tr>
    );
  const { line } = row;
  return (
    <tr class={CLASSES[line.sign]}>
      <td class="n">{line.before}</td>
      <td class="n">{line.after}</td>
      <td class="s">{line.sign === "-" ? "−" : line.sign}</td>
      <td class="c">
        <MarkedText line={line} />
      </td>
    </tr>
  );
}
