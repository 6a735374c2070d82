import * as z from "zod";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { isoOf } from "../../base/time.ts";
import { plural } from "../../text/plural.ts";
import { createOverlayTree } from "../../workspace/changes/undo/overlay-tree.ts";
import type { TrashItem } from "../../workspace/changes/trash/notes.ts";
import { type Damage, checkBackup } from "../../workspace/changes/undo/damage.ts";
import type { View } from "../../workspace/view.ts";
import { change, changed, mutating, quotedName, versionAfter } from "./changing/change-answer.ts";
import { pathInput } from "../paths.ts";
import { mkdirMissingParents } from "./changing/preconditions.ts";
import { DESTRUCTIVE, defineTool } from "../tool.ts";

const input = z.strictObject({
  trash_id: z.string().max(LIMITS.argumentChars).optional(),
  path: pathInput.optional(),
  destination: pathInput.optional(),
  overwrite: z.boolean().default(false),
  ...mutating,
});

type Input = z.output<typeof input>;

const otherItem = z.object({ trash_id: z.string(), deleted: z.string(), size: z.int() });

const output = z.object({
  path: z.string(),
  trash_id: z.string(),
  version: z.string().optional(),
  others: z.array(otherItem),
  ...changed,
});

export const restore = defineTool({
  name: "restore",
  title: "Restore from the trash",
  description: "Bring back what was deleted, by trash_id or by its path.",
  annotations: DESTRUCTIVE,
  catalogue: { group: "fs", order: 140 },
  input,
  output,

  async plan(args, view) {
    const { item, others } = await findItem(args, view);
    const path = args.destination ?? item.path;
    const target = await view.resolveTarget(path, "keep");
    const { now, place } = target;
    if (now && (!args.overwrite || now.facts.kind === "directory"))
      throw new Fault("exists", `Cannot restore ${JSON.stringify(view.nameOf(place))}: something is there already`, {
        path: view.nameOf(place),
      });
    const damage = await damageToItem(view, item);
    if (damage && damage.kind !== "altered") throw damagedFault(view.nameOf(item.path), item.id, damage);
    const replaces = now?.version ?? null;
    const origin = place === item.path ? undefined : { path: item.path, hasBelow: item.image.kind !== "file" };
    return change({
      isDryRun: args.dry_run,
      changes: [
        ...mkdirMissingParents(target),
        { kind: "restore", object: item.object, path: place, replaces, origin },
      ],
      lines: [["Restored", quotedName(view, place)], ...others.map((other) => olderLine(other))],
      warnings: damage ? [`it is not as it was deleted: ${damage.reason}`] : [],
      data: (record) => ({
        path: view.nameOf(place),
        trash_id: item.id,
        ...(view.mayOpen(place) && versionAfter(record, place)),
        others: others.map((other) => ({
          trash_id: other.id,
          deleted: isoOf(other.deletedMs),
          size: other.bytes,
        })),
      }),
    });
  },
});

/** Compares the item in the trash with the file that was deleted. */
async function damageToItem(view: View, { object, image, changeId }: TrashItem): Promise<Damage | undefined> {
  const effects = view.history.read(changeId)?.effects ?? [];
  const nth = effects.findIndex(({ before }) => before?.object === object);
  const left = { place: object, fingerprint: image.fingerprint, changeId, nth };
  return checkBackup({ view, tree: createOverlayTree() }, image, left);
}

const damagedFault = (path: string, id: string, { reason }: Damage): Fault =>
  new Fault("conflict", `Cannot restore ${JSON.stringify(path)}: ${reason}`, {
    path,
    trash_id: id,
    hint: "Nothing was changed: tell the user that the store of this workspace was tampered with",
  });

const olderLine = ({ id, deletedMs, bytes }: TrashItem): string =>
  `Also in the trash: ${id}, deleted ${isoOf(deletedMs)}, ${plural(bytes, "byte")}`;

/** Finds the item by its id, or the newest item that was deleted at a path. */
async function findItem(
  { trash_id, path }: Input,
  view: View,
): Promise<{ item: TrashItem; others: readonly TrashItem[] }> {
  if ((trash_id === undefined) === (path === undefined))
    throw new Fault("invalid_input", 'Cannot restore: give either "trash_id" or "path"', { argument: "trash_id" });
  const place = path === undefined ? undefined : (await view.resolveTarget(path, "keep")).place;
  const [item, ...others] = place === undefined ? [view.history.trashItem(trash_id ?? "")] : view.history.trash(place);
  if (item) return { item, others: others.flatMap((other) => other ?? []) };
  const what = JSON.stringify(trash_id ?? path);
  throw new Fault("not_found", `Cannot restore ${what}: it is not in the trash`, {
    trash_id,
    path,
    hint: "The history tool shows what was deleted; undo may bring it back",
  });
}
