import * as z from "zod";
import { LIMITS } from "../../base/limits.ts";
import { isWithin } from "../../base/paths.ts";
import { isoOf } from "../../base/time.ts";
import { plural } from "../../text/plural.ts";
import { quoted } from "../../text/quote.ts";
import type { ChangeRecord, Effect } from "../../workspace/changes/change.ts";
import type { ShownChange } from "../../workspace/changes/shown-change.ts";
import { createUndoneCheck } from "../../workspace/changes/undone-check.ts";
import { notOurCursor } from "../../workspace/read/cursor.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { View } from "../../workspace/view.ts";
import { quotedName } from "./changing/change-answer.ts";
import { netDiffOfSession, netFile } from "./changing/net-diff.ts";
import { noted } from "../notes.ts";
import { pathInput } from "../paths.ts";
import { sinceInput, timeIn } from "../time-argument.ts";
import { answer, defineTool, READ_ONLY } from "../tool.ts";
import { UNLISTED } from "../unlisted.ts";

const input = z.strictObject({
  path: pathInput.optional(),
  session: z.string().max(LIMITS.argumentChars).optional(),
  since: sinceInput,
  limit: z.int().min(1).max(LIMITS.historyEntriesMost).default(LIMITS.historyEntries),
  cursor: z.string().max(LIMITS.argumentChars).optional(),
  net: z
    .boolean()
    .default(false)
    .describe("Add what the changes of a session, of this one if none is named, sum up to, as diffs")
    .meta(UNLISTED.program),
});

type Input = z.output<typeof input>;

const file = z.object({
  path: z.string(),
  action: z.string(),
  from: z.string().optional(),
  added: z.int().optional(),
  removed: z.int().optional(),
  replaced_unseen: z.boolean().optional(),
});

const listed = z.object({
  change_id: z.string(),
  time: z.string(),
  session: z.string(),
  tool: z.string(),
  command: z.string().optional(),
  files: z.array(file),
  undoes: z.array(z.string()).optional(),
  undone: z.boolean().optional(),
  elsewhere: z.int().optional(),
  other_directory: z.boolean().optional(),
});

export const history = defineTool({
  name: "history",
  title: "What was changed",
  description: "Changes made here, newest first, with the change_id that undo takes.",
  annotations: READ_ONLY,
  catalogue: { group: "fs", order: 160, profiles: ["readonly"] },
  input,
  output: z.object({
    changes: z.array(listed),
    truncated: z.boolean(),
    cursor: z.string().optional(),
    net: z.array(netFile).optional(),
    ...noted,
  }),

  async plan(given, view, { id }) {
    const args = given.net ? { ...given, session: given.session ?? id } : given;
    if (args.cursor !== undefined && !/^[0-9a-z]{15}$/.test(args.cursor)) throw notOurCursor();
    const place = args.path === undefined ? undefined : (await view.resolveTarget(args.path, "keep")).place;
    const fits = filterOf(args, place);
    const isUndone = createUndoneCheck();
    const page: Listed[] = [];
    let isCut = false;
    // Reads also the records before the page and those of other sessions, because they may have undone changes on the
    // page.
    for await (const record of view.history.records(view.checkpoint, place)) {
      const undone = isUndone(record);
      const shown = args.cursor === undefined || record.id < args.cursor ? shownOf(record, view) : null;
      if (!shown || !fits(shown)) continue;
      isCut = page.length === args.limit;
      if (isCut) break;
      page.push({ ...shown, undone });
    }
    const cursor = isCut ? page.at(-1)?.id : undefined;
    const notes = [
      ...(page.length > 0 ? [] : ["Nothing was changed"]),
      ...(cursor === undefined ? [] : [`Cut: there are more changes; cursor="${cursor}"`]),
    ];
    const net = given.net ? await netDiffOfSession(args.session ?? id, place, view) : undefined;
    const lines = page.map((record) => lineOf(record, view));
    return answer(
      [...lines, ...(net && net.text !== "" ? ["", "What they sum up to:", net.text] : [])].join("\n"),
      {
        changes: page.map((record) => listedChangeOf(record, view)),
        truncated: isCut,
        ...(cursor !== undefined && { cursor }),
        ...(net && { net: [...net.files] }),
      },
      notes,
    );
  },
});

interface Listed extends ShownChange {
  readonly undone: boolean;
}

/** Removes effects that the session may not see. Returns null when nothing is left. */
function shownOf(record: ShownChange, view: View): ShownChange | null {
  const effects = record.effects.filter(({ path, from }) => [path, from ?? path].every(view.isVisible));
  if (effects.length === record.effects.length) return record;
  return effects.length > 0 ? { ...record, effects } : null;
}

function filterOf({ session, since }: Input, place: SafePath | undefined): (record: ChangeRecord) => boolean {
  const sinceMs = since === undefined ? undefined : timeIn(since);
  return (record) =>
    (session === undefined || record.session === session) &&
    (sinceMs === undefined || record.timeMs >= sinceMs) &&
    (place === undefined || record.effects.some((effect) => concerns(effect, place)));
}

/** Returns true if the effect touches the place or anything below it. */
const concerns = ({ path, from }: Effect, place: string): boolean =>
  isWithin(path, place) || (from !== undefined && isWithin(from, place));

const listedChangeOf = (
  { id, timeMs, session, tool, command, effects, undoes, undoneAt, undone, elsewhere, isOfReplaced }: Listed,
  view: View,
): z.output<typeof listed> => ({
  change_id: id,
  time: isoOf(timeMs),
  session,
  tool,
  ...(command !== undefined && { command }),
  files: effects.map((effect) => fileOf(effect, view)),
  ...(undoes && undoneAt === undefined && { undoes: [...undoes] }),
  ...(undone && { undone }),
  ...(elsewhere !== undefined && { elsewhere }),
  ...(isOfReplaced && { other_directory: true }),
});

const fileOf = ({ path, from, action, lines, isUnseen }: Effect, view: View): z.output<typeof file> => ({
  path: view.nameOf(path),
  action,
  ...(from !== undefined && { from: view.nameOf(from) }),
  ...(lines && { added: lines.added, removed: lines.removed }),
  ...(isUnseen && { replaced_unseen: true }),
});

function lineOf({ id, timeMs, tool, command, effects, undone, elsewhere, isOfReplaced }: Listed, view: View): string {
  const shown = effects.map((effect) => `${effect.action} ${pathsText(effect, view)}${statsOf(effect)}`);
  const by = command === undefined ? tool : `${tool} ${quoted(command)}`;
  const what = elsewhere === undefined ? shown : [...shown, `${plural(elsewhere, "file")} elsewhere`];
  return `${id} ${isoOf(timeMs)} ${by}: ${what.join(", ") || "nothing"}${undone ? " (undone)" : ""}${isOfReplaced ? " (in another directory that had this path)" : ""}`;
}

const pathsText = ({ path, from }: Effect, view: View): string =>
  from === undefined ? quotedName(view, path) : `${quotedName(view, from)} to ${quotedName(view, path)}`;

const statsOf = ({ lines, isUnseen }: Effect): string =>
  (lines ? ` +${lines.added} -${lines.removed}` : "") + (isUnseen ? " (replaced unseen)" : "");
