import { shown } from "../format/shown.ts";
import { CLASSES, MarkedText } from "./marked-text.tsx";
import type { NumberedLine, SplitRow } from "./rows.ts";

interface SplitDiffProps {
  readonly rows: readonly SplitRow[];
  readonly label: string;
}

export const SplitDiff = ({ rows, label }: SplitDiffProps) => (
  <div class="diff-scroll split" tabIndex={0} role="region" aria-label={`Split diff of ${label}`}>
    <table class="diff">
      <tbody>
        {rows.map((row, index) => (
          <Row key={index} row={row} />
        ))}
      </tbody>
    </table>
  </div>
);

function Row({ row }: { readonly row: SplitRow }) {
  if (row.kind === "cut")
    return (
      <tr class="hunk">
        <td class="n">⋯</td>
        <td class="c" colSpan={3}>
          {shown(row.text)}
        </td>
      </tr>
    );
  return (
    <tr>
      <Side line={row.left} number={row.left?.before} />
      <Side line={row.right} number={row.right?.after} />
    </tr>
  );
}

interface SideProps {
  readonly line: NumberedLine | undefined;
  readonly number: number | undefined;
}

function Side({ line, number }: SideProps) {
  const kind = line ? CLASSES[line.sign] : "void";
  return (
    <>
      <td class={`n ${kind}`}>{number}</td>
      <td class={`c ${kind}`}>
        {kind === "add" && <span class="sr">added </span>}
        {kind === "rem" && <span class="sr">removed </span>}
        {line && <MarkedText line={line} />}
      </td>
    </>
  );
}
