import { resolve } from "node:path";
import { Fault, hasCode } from "../../../base/errors.ts";
import type { TrashEntry, Admin } from "../../../runtime/admin.ts";
import { plural } from "../../../text/plural.ts";
import { quoted } from "../../../text/quote.ts";
import type { CliWorkspace } from "../cli-workspace.ts";
import type { CliSettings } from "../flags.ts";
import { createProgressBar } from "../progress-bar.ts";
import { withChanges, withScope } from "../scope.ts";
import { formatTable, type Cell, localTime, print, sizeText, colored } from "../terminal.ts";
import { wrongVerb } from "../wrong-verb.ts";

/** Runs `holdfast trash [list|restore|purge]`: lists deleted files, restores them or deletes them permanently. */
export async function trash(settings: CliSettings): Promise<number> {
  const [verb = "list", ...named] = settings.words;
  const flags = [settings.all, settings.expired].filter(Boolean);
  const [what] = named;
  if (verb !== "restore" && (settings.filing.to ?? settings.filing.overwrite) !== undefined)
    throw new Fault(
      "invalid_input",
      `Cannot use --to or --overwrite with holdfast trash ${verb}: they belong to restore`,
    );
  if (verb === "list" && named.length === 0 && !settings.expired) return list(settings);
  if (verb === "restore" && what !== undefined && named.length + flags.length === 1) return restore(settings, what);
  if (verb === "purge" && named.length + flags.length === 1) return purge(settings, what);
  return wrongVerb("trash", verb);
}

const list = (settings: CliSettings): Promise<number> =>
  withScope(settings, async ({ admin, name }) => {
    const items = await admin.trash();
    if (settings.json) return print(JSON.stringify({ items }));
    print(items.length === 0 ? `The trash${settings.all ? "" : ` of ${name}`} is empty` : tableOf(items));
  });

function tableOf(items: readonly TrashEntry[]): string {
  const head = ["trash id", "deleted", "kept until", "by", "size", "path"];
  return formatTable([head.map((text): Cell => ["dim", text]), ...items.map(rowOf)]);
}

const rowOf = (item: TrashEntry): readonly Cell[] => [
  ["id", item.trash_id],
  localTime(item.deleted),
  item.expired ? ["bad", "expired"] : localTime(item.recoverable_until),
  item.principal,
  sizeText(item.bytes),
  pathText(item),
];

function pathText({ path, type, files, other_directory: isOther }: TrashEntry): string {
  const name = type === "directory" ? `${quoted(path)}/` : quoted(path);
  const notes = [
    type === "directory" && files > 0 && plural(files, "file"),
    isOther && "from another directory that had this path",
  ].filter(Boolean);
  return [name, ...notes.map((note) => colored("dim", `(${note})`))].join(" ");
}

interface Restored {
  readonly path: string;
  readonly others: readonly { readonly trash_id: string; readonly deleted: string }[];
  /** Absent in a dry run. */
  readonly change_id?: string;
}

/** Restores an item by its id from anywhere, or the last one that was deleted at a path. */
function restore(settings: CliSettings, what: string): Promise<number> {
  const choose = async ({ admin }: CliWorkspace) =>
    (await admin.trash()).flatMap(({ trash_id, change_id }) => (trash_id === what ? [change_id] : []));
  return withChanges(settings, choose, async ({ ask, admin }, elsewhere) => {
    const isId = (await admin.trash()).some(({ trash_id }) => trash_id === what);
    const { to } = settings.filing;
    const done = await ask<Restored>("restore", {
      ...(isId ? { trash_id: what } : { path: what }),
      destination: to !== undefined && elsewhere !== undefined ? resolve(to) : to,
      overwrite: settings.filing.overwrite,
      dry_run: settings.dryRun,
    }).catch(rethrowWithFlags);
    if (settings.json) return print(JSON.stringify(done));
    const where = elsewhere === undefined ? "" : ` in ${elsewhere}`;
    print(`${done.change_id === undefined ? "Would restore" : "Restored"} ${quoted(done.path)}${where}`);
    for (const { trash_id, deleted } of done.others)
      print(colored("dim", `Also in the trash: ${trash_id}, deleted ${localTime(deleted)}`));
  });
}

/** Names the flags in the hint, instead of the arguments of the tool. */
function rethrowWithFlags(error: unknown): never {
  if (!hasCode(error, "exists")) throw error;
  throw new Fault(error.code, error.message, {
    ...error.details,
    hint: "Choose another place with --to <path>, or replace a file with --overwrite",
  });
}

/** Purges below the directory only, also with `--all`: what is gone elsewhere nobody has looked at. */
const purge = (settings: CliSettings, what: string | undefined): Promise<number> =>
  withScope({ ...settings, all: false }, async ({ admin }) => {
    const items = await itemsToPurge(settings, what, admin);
    const bar = createProgressBar("purge");
    const ids = items.map(({ trash_id }) => trash_id);
    if (!settings.dryRun) await admin.purge(ids, bar.report).finally(bar.clear);
    if (settings.json) return print(JSON.stringify({ purged: items, dry_run: settings.dryRun }));
    if (items.length === 0) return print("Nothing to purge");
    const bytes = sizeText(items.reduce((sum, item) => sum + item.bytes, 0));
    const count = plural(items.length, "item");
    print(tableOf(items));
    print(settings.dryRun ? `Would purge ${count}, ${bytes}` : `Purged ${count}, ${bytes}`);
  });

/** Selects items by id, or all that were deleted at a path. */
async function itemsToPurge({ all, expired }: CliSettings, what: string | undefined, admin: Admin) {
  const items = await admin.trash();
  if (what === undefined) return items.filter((item) => all || (expired && item.expired));
  const byId = items.filter(({ trash_id }) => trash_id === what);
  const path = byId.length > 0 ? undefined : await admin.nameOf(what);
  const found = path === undefined ? byId : items.filter((item) => item.path === path);
  if (found.length > 0) return found;
  throw new Fault(
    "not_found",
    `Cannot purge ${JSON.stringify(what)}: it is not in the trash; holdfast trash lists what is`,
  );
}
