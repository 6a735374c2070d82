import * as z from "zod";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { isoOf } from "../../base/time.ts";
import type { OpenDirectory } from "../../storage/storage.ts";
import { plural } from "../../text/plural.ts";
import type { ChangeRecord } from "../../workspace/changes/change.ts";
import { trashIdOf } from "../../workspace/changes/trash/trash.ts";
import type { View } from "../../workspace/view.ts";
import { change, changed, mutating, quotedName } from "./changing/change-answer.ts";
import { pathInput } from "../paths.ts";
import { ifMatch, requireMatch, requireThere } from "./changing/preconditions.ts";
import { DESTRUCTIVE, defineTool } from "../tool.ts";

const input = z.strictObject({
  path: pathInput,
  recursive: z.boolean().default(false),
  permanent: z.boolean().default(false).describe("Not into the trash: it cannot be undone"),
  if_match: ifMatch,
  ...mutating,
});

const output = z.object({
  path: z.string(),
  trash_id: z.string().optional(),
  trash_path: z.string().optional(),
  recoverable_until: z.string().optional(),
  files: z.int(),
  bytes: z.int(),
  counted: z.boolean().optional(),
  ...changed,
});

/** Is called `remove` in code, because `delete` is a keyword. */
export const remove = defineTool({
  name: "delete",
  title: "Delete",
  description: "Move a file or directory into the trash; restore brings it back.",
  annotations: DESTRUCTIVE,
  catalogue: { group: "fs", order: 130 },
  input,
  output,

  async plan({ path, recursive, permanent, if_match, dry_run }, view) {
    const target = await view.resolveTarget(path, "keep");
    const { facts, version } = await requireThere(target, path, view);
    await requireMatch(target, if_match, path, view);
    const isDirectory = facts.kind === "directory";
    const size = isDirectory ? await countTree(target.place, path, recursive, view) : { files: 1, bytes: facts.size };
    const { files, bytes, isWhole = true } = size;
    const into = permanent ? "nowhere" : "trash";
    const what = isDirectory ? ` with ${isWhole ? "" : "at least "}${plural(files, "file")}` : "";
    const name = quotedName(view, target.place);
    return change({
      isDryRun: dry_run,
      changes: [{ kind: "remove", path: target.place, expect: version, into, counted: { files, bytes } }],
      lines: [[permanent ? "Deleted" : "Moved", `${permanent ? "for good" : "to the trash"}: ${name}${what}`]],
      data: (record) => ({ path, ...trashOf(record, view), files, bytes, ...(!isWhole && { counted: false }) }),
    });
  },
});

function trashOf(record: ChangeRecord | null, view: View): Readonly<Record<string, string>> {
  const [effect] = record?.effects ?? [];
  const object = effect?.before?.object;
  if (object === undefined) return {};
  const id = trashIdOf(object);
  const expiresMs = view.history.trashItem(id, effect?.path)?.expiresMs;
  return {
    trash_id: id,
    trash_path: `trash:${id}`,
    ...(expiresMs !== undefined && { recoverable_until: isoOf(expiresMs) }),
  };
}

interface Counted {
  readonly files: number;
  readonly bytes: number;
  /** Is false when the count stopped at `LIMITS.countedEntries`. */
  readonly isWhole?: boolean;
}

/** Counts the files below a directory. Counting stops at a limit, because the delete itself takes constant time. */
async function countTree(place: string, path: string, recursive: boolean, view: View): Promise<Counted> {
  const sum = { files: 0, bytes: 0, entries: 0 };
  await view.withDirectory(place, async (directory) => {
    const entries = await directory.entries();
    if (entries.length > 0 && !recursive) throw notEmpty(path, entries.length);
    await addUp(directory, sum, view);
  });
  const { files, bytes, entries } = sum;
  return { files, bytes, isWhole: entries < LIMITS.countedEntries };
}

interface Sum {
  files: number;
  bytes: number;
  entries: number;
}

async function addUp(directory: OpenDirectory, sum: Sum, view: View): Promise<void> {
  for (const entry of await directory.entries()) {
    if (++sum.entries >= LIMITS.countedEntries) return;
    await view.checkpoint();
    if (entry.kind === "directory" && !entry.raw)
      await directory.withDirectory(entry, (inner) => addUp(inner, sum, view));
    else {
      sum.files++;
      sum.bytes += entry.kind === "file" ? (directory.stat(entry)?.size ?? 0) : 0;
    }
  }
}

function notEmpty(path: string, count: number): Fault {
  const entries = count === 1 ? "1 entry" : `${count} entries`;
  return new Fault("not_empty", `Cannot delete ${JSON.stringify(path)}: it is not empty, it has ${entries}`, {
    path,
    entries: count,
  });
}
