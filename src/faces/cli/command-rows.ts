import type { CommandAbilities } from "../../app/command-abilities.ts";
import { visible } from "../../text/quote.ts";

/** A line of a report: what it is about, and what there is to say. */
export type Row = readonly [name: string, value: string];

/** Says how commands run here: whether they may, what holds them, what does not, and how to get more. */
export function commandRows({
  enabled,
  security,
  sandbox,
  problem,
  terminal,
  ...undo
}: CommandAbilities): readonly Row[] {
  return [
    ["commands", enabled ? `on${security === undefined ? "" : `: ${security}`}` : OFF],
    ...(problem === undefined ? [] : [["sandbox", `none can be used: ${visible(problem)}`] as const]),
    ...(sandbox
      ? ([
          ["sandbox", `${sandbox.rung}: ${sandbox.stops}`],
          ["not held", sandbox.rung === "none" ? `${sandbox.lets} ${SAME_USER}` : sandbox.lets],
          ...sandbox.raise.map((command): Row => ["for more", command]),
        ] as const)
      : []),
    ["undo", undoText(undo)],
    [
      "terminal",
      terminal === undefined ? "none: install the package zigpty, or the program script" : TERMINALS[terminal],
    ],
  ];
}

const OFF = "off: --exec allowlist or tools.exec.security turns them on";

/** Says what remains of decision 076 without a sandbox. */
const SAME_USER =
  "holdfast approvals, undo and others refuse below a command, but one that leaves its session and outlives its parents " +
  "is not recognised.";

function undoText({ undo, no_undo_reason: reason }: Pick<CommandAbilities, "undo" | "no_undo_reason">): string {
  if (undo) return "overlay: a command in the foreground runs on a view, and what it changed can be undone";
  return `none: commands change the directories themselves${reason === undefined ? "" : ` (${visible(reason)})`}`;
}

const TERMINALS = { zigpty: "by the package zigpty", script: "by the program script" } as const;
