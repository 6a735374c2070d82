import * as z from "zod";
import { isFault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import type { SafePath } from "../../../storage/storage.ts";
import { plural } from "../../../text/plural.ts";
import type { ShownDiff } from "../../../workspace/changes/change-diff.ts";
import { type NetEffect, netDiffOf, netEffectsOf } from "../../../workspace/changes/net-change.ts";
import { createUndoneCheck } from "../../../workspace/changes/undone-check.ts";
import type { View } from "../../../workspace/view.ts";
import { quotedName } from "./change-answer.ts";

/** Describes what the changes of a session sum up to for one file. */
export const netFile = z.object({
  path: z.string(),
  action: z.string(),
  from: z.string().optional(),
  diff: z.string().optional(),
  note: z.string().optional(),
});

type NetFile = z.output<typeof netFile>;

/** Holds the files with their diffs, within `LIMITS.netDiffChars`. */
export interface NetDiff {
  readonly files: readonly NetFile[];
  readonly text: string;
}

/** Compares each file before the first and after the last change of a session that is in effect. */
export async function netDiffOfSession(session: string, place: SafePath | undefined, view: View): Promise<NetDiff> {
  const effects = await netEffectsOf(judgedChanges(view, place), session);
  const seen = effects.filter(({ path, from = path }) => [path, from].every(view.isVisible));
  const files: NetFile[] = [];
  const lines: string[] = [];
  let left: number = LIMITS.netDiffChars;
  for (const effect of seen.slice(0, LIMITS.changeLines)) {
    const shown = fitting(await diffOf(effect, view), left);
    left -= shown.diff?.length ?? 0;
    files.push({ ...namesOf(effect, view), ...shown });
    lines.push(headOf(effect, shown, view), ...(shown.diff === undefined ? [] : [shown.diff.trimEnd()]));
  }
  const more = seen.length - files.length;
  return { files, text: [...lines, ...(more > 0 ? [`and ${plural(more, "more file")}`] : [])].join("\n") };
}

async function* judgedChanges(view: View, place: SafePath | undefined) {
  const isUndone = createUndoneCheck();
  for await (const record of view.history.records(view.checkpoint, place))
    yield { ...record, isUndone: isUndone(record) };
}

/** Shows nothing that a read of the file would not show: not where the rules ask first, nor where secrets are hidden. */
async function diffOf(effect: NetEffect, view: View): Promise<ShownDiff> {
  const places = [effect.path, effect.from ?? effect.path];
  if (places.some(view.isSensitive)) return { note: "it may hold secrets, so its content is not shown" };
  if (!places.every(view.mayOpen)) return { note: "its content may not be read" };
  try {
    const { diff, note } = await netDiffOf(effect, view);
    return { ...(diff !== undefined && { diff }), ...(note !== undefined && { note }) };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { note: "its content may not be read" };
  }
}

const fitting = (shown: ShownDiff, left: number): ShownDiff =>
  (shown.diff?.length ?? 0) <= left ? shown : { note: "its diff is too long to show here: read the file" };

const namesOf = ({ path, from, action }: NetEffect, view: View): NetFile => ({
  path: view.nameOf(path),
  action,
  ...(from !== undefined && { from: view.nameOf(from) }),
});

function headOf({ path, from, action }: NetEffect, { note }: ShownDiff, view: View): string {
  const moved = from === undefined ? "" : `${quotedName(view, from)} to `;
  return `${action} ${moved}${quotedName(view, path)}${note === undefined ? "" : ` (${note})`}`;
}
