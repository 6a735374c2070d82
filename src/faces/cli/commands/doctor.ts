import { existsSync } from "node:fs";
import { type App, createApp } from "../../../app/app.ts";
import type { CommandAbilities } from "../../../app/command-abilities.ts";
import type { DocumentAbilities } from "../../../app/document-abilities.ts";
import type { ImageAbility } from "../../../app/image-ability.ts";
import { LIMITS } from "../../../base/limits.ts";
import { isInNamedStorage } from "../../../base/paths.ts";
import { PRODUCT } from "../../../base/product.ts";
import { DAY_MS, isoOf } from "../../../base/time.ts";
import { plural } from "../../../text/plural.ts";
import { quoted, visible } from "../../../text/quote.ts";
import type { SessionFacts } from "../../../tools/tool.ts";
import { type MergedSettings, mergeSettings } from "../../../app/merged-settings.ts";
import type { CliWorkspace } from "../cli-workspace.ts";
import type { CliSettings } from "../flags.ts";
import { withScope } from "../scope.ts";
import { withPlugins, type SettingsWithPlugins } from "../with-plugins.ts";
import { chosenDialect } from "../chosen-dialect.ts";
import { type Backup, storesOf } from "../../stores.ts";
import { commandRows, type Row } from "../command-rows.ts";
import { colored, localTime, print, sizeText } from "../terminal.ts";

/** Runs `holdfast doctor [<dir>...]`: shows containment, served directories and stored state. Changes nothing else. */
export async function doctor(settings: CliSettings): Promise<number> {
  const { giveUp: id } = settings;
  if (id !== undefined) return withScope(settings, (workspace) => giveUp(workspace, settings, id));
  const problems: string[] = [];
  const note = (message: string): void => void problems.push(message);
  const options = await withPlugins(await mergeSettings(settings, settings.words, "."), note);
  // Skipped roots are in `app.skipped` and have lines of their own.
  const app = createApp({ ...options, dialect: await chosenDialect(options), warn: note, onSkippedRoot: () => {} });
  await app.surface.ready?.();
  const { commandAbilitiesOf } = await import("../../../app/command-abilities.ts");
  const { documentAbilities } = await import("../../../app/document-abilities.ts");
  const { imageAbilityOf } = await import("../../../app/image-ability.ts");
  const [commands, images] = [await commandAbilitiesOf(options), await imageAbilityOf()];
  const found = { ...examine(app, options), documents: documentAbilities(), commands, images, problems };
  print(settings.json ? JSON.stringify(found) : textOf(found));
  await app.close();
  return app.skipped.length + app.session.facts.problems.length > 0 ? 1 : 0;
}

/** Runs `holdfast doctor --give-up <id>`: says what stays unrepaired. */
async function giveUp({ admin }: CliWorkspace, { json }: CliSettings, id: string): Promise<void> {
  const { places, missing } = await admin.giveUp(id);
  if (json) return print(JSON.stringify({ given_up: id, places, missing }));
  print(`Gave up the interrupted change ${id}: it is not rolled back, and these places stay as it left them`);
  for (const place of places) print(`  ${quoted(place)}`);
  print(colored("dim", "What it had replaced or deleted is still in the store that holdfast doctor names"));
}

type Found = ReturnType<typeof examine> & {
  readonly documents: DocumentAbilities;
  readonly commands: CommandAbilities;
  readonly images: ImageAbility;
  readonly problems: readonly string[];
};

function examine(app: App, options: SettingsWithPlugins) {
  const { session, surface, skipped, stateDirectory } = app;
  const { containment, pageBytes, roots } = session.facts;
  return {
    version: PRODUCT.version,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    containment,
    roots: roots().map(({ path, read, write }) => ({ path, read, write })),
    skipped: skipped.map(({ given, reason }) => ({ path: given, reason })),
    dialect: options.dialectName,
    tools: surface.tools.map(({ name }) => name),
    plugins: options.plugins.map(({ id, tools, dialect, servers }) => ({
      id,
      tools: tools.map(({ name }) => name),
      dialect: dialect?.name,
      servers: Object.keys(servers),
    })),
    page_bytes: pageBytes,
    kept: stateSummary(app, options),
    config: options.places.map(({ file }) => file).filter((file) => existsSync(file)),
    state: stateDirectory,
  };
}

/** Returns undefined for a read-only session, which stores nothing. */
function stateSummary({ session, stateDirectory }: App, { durability = "process", trashHours }: MergedSettings) {
  const { writing, roots } = session.workspace;
  if (!writing) return undefined;
  const changed = writing.directories();
  const places = [...roots.map(({ real }) => real), ...changed.map(({ path }) => path)];
  const stores = storesOf([stateDirectory, ...places].filter((place) => place !== "" && !isInNamedStorage(place)));
  const backups = stores.flatMap((store) => store.backups);
  const { changes, pending } = writing.counts();
  const waiting = writing.waiting();
  return {
    durability,
    directories: changed.map(({ path, changes: count, tags }) => ({
      path,
      changes: count,
      bytes: bytesOf(backups.filter(({ tag }) => tags.has(tag))),
    })),
    history: { changes, bytes: bytesOf(backups.filter(({ folder }) => folder === "objects")) },
    trash: {
      things: writing.trash.items().length,
      bytes: bytesOf(backups.filter(({ folder }) => folder === "trash")),
      agent_hours: trashHours ?? LIMITS.agentTrashHours,
      user_hours: LIMITS.userTrashHours,
    },
    half_done: pending - waiting.length,
    waiting: waiting.map(({ id, timeMs, places: named, roots: served, missing }) => ({
      id,
      directories: served.map(({ path }) => path),
      since: isoOf(timeMs),
      places: named.length,
      missing,
    })),
    stores: stores.map(({ path }) => path),
  };
}

const bytesOf = (backups: readonly Backup[]): number => backups.reduce((sum, { bytes }) => sum + bytes, 0);

function textOf(found: Found): string {
  const { containment, dialect } = found;
  const rows: readonly Row[] = [
    ["version", `${found.version} on Node ${found.node}, ${found.platform}`],
    ["containment", `${containment}: ${CONTAINMENT[containment]}`],
    ...found.roots.map((root): Row => ["root", rootLine(root)]),
    ...found.skipped.map(({ path, reason }): Row => ["skipped", `${quoted(path)}: ${reason}`]),
    ...(dialect === undefined ? [] : [["dialect", dialect] as const]),
    ["tools", found.tools.join(" ")],
    ...found.plugins.map((plugin): Row => ["plugin", pluginLine(plugin)]),
    ...found.problems.map((problem): Row => ["problem", visible(problem)]),
    ["page", plural(found.page_bytes, "byte")],
    ["images", imageLine(found.images)],
    ...found.documents.map((library): Row => ["documents", libraryLine(library)]),
    ...commandRows(found.commands),
    ...stateRows(found.kept),
    ...found.config.map((file): Row => ["config", quoted(file)]),
    ["state", found.state === "" ? "in memory" : quoted(found.state)],
  ];
  return rows.map(([name, value]) => `${name.padEnd(14)}${value}`).join("\n");
}

const CONTAINMENT: Readonly<Record<SessionFacts["containment"], string>> = {
  handle: "every directory of a path is opened by handle; links and races cannot lead outside",
  "best-effort": "names are checked before and after use; a fast enough race can still win",
  "in-memory": "nothing is on a disk",
  "object-store": "paths are keys of a store, which has no links",
};

const DURABILITY = {
  process: "a change survives the end of any process, not a power cut",
  power: "a change survives a power cut",
};

const imageLine = ({ sharp, install }: ImageAbility): string =>
  sharp === undefined ? `only those that fit; for others: ${install}` : `made to fit by the package sharp ${sharp}`;

const rootLine = ({ path, read, write }: Found["roots"][number]): string =>
  `${quoted(path)} (${read ? "read" : "no read"}, ${write ? "write" : "no write"})`;

const libraryLine = ({ package: name, formats, installed }: DocumentAbilities[number]): string =>
  `${formats}: ${installed ? `by the package ${name}` : `not readable; npm install ${name}`}`;

const pluginLine = ({ id, tools, dialect, servers }: Found["plugins"][number]): string =>
  [
    id,
    tools.length > 0 && `tools ${tools.join(" ")}`,
    dialect !== undefined && `dialect ${dialect}`,
    servers.length > 0 && `servers ${servers.join(" ")}`,
  ]
    .filter(Boolean)
    .join(", ");

type Waiting = NonNullable<Found["kept"]>["waiting"][number];

function waitingLine({ id, since, places, ...waiting }: Waiting): string {
  const why = reasonToWait(waiting);
  const what = `interrupted ${localTime(since)}, ${why}; ${plural(places, "place")} cannot be changed`;
  return `${id}: ${what}; if that is for good: holdfast doctor --give-up ${id}`;
}

function reasonToWait({ directories, missing }: Pick<Waiting, "directories" | "missing">): string {
  if (directories.length === 0) return "by version 0.1, and recovered when its directories are served together";
  return missing.length === 0 ? "its directories refuse" : `missing ${missing.map(quoted).join(", ")}`;
}

function stateRows(kept: Found["kept"]): readonly Row[] {
  if (!kept) return [];
  const { durability, directories, history, trash, half_done: pending, waiting, stores } = kept;
  const most = `at most ${sizeText(LIMITS.historyBytes)} and ${LIMITS.historyMs / DAY_MS} days in a directory`;
  const hours = `agents ${trash.agent_hours} h, command line ${trash.user_hours} h`;
  const unfinished = `${plural(pending, "change")} of a process that ended; the next call recovers it`;
  return [
    ["durability", `${durability}: ${DURABILITY[durability]}`],
    ...directories.map(({ path, changes, bytes }): Row => [
      "directory",
      `${quoted(path)}: ${plural(changes, "change")}, ${sizeText(bytes)} kept`,
    ]),
    ["history", `${plural(history.changes, "change")}, ${sizeText(history.bytes)} kept (${most})`],
    ["trash", `${plural(trash.things, "item")}, ${sizeText(trash.bytes)} (${hours})`],
    ["unfinished", pending === 0 ? "none" : unfinished],
    ...waiting.map((change): Row => ["waiting", waitingLine(change)]),
    ...(stores.length === 0 ? [["store", "none yet"] as const] : stores.map((path): Row => ["store", quoted(path)])),
  ];
}
