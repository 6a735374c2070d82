import { existsSync } from "node:fs";
import { type App, createApp, type Options } from "../../../app.ts";
import { LIMITS } from "../../../base/limits.ts";
import { PRODUCT } from "../../../base/product.ts";
import { DAY_MS } from "../../../base/time.ts";
import { counted } from "../../../text/counted.ts";
import { quoted } from "../../../text/quote.ts";
import type { SessionFacts } from "../../../tools/tool.ts";
import { configured } from "../configured.ts";
import type { Settings } from "../flags.ts";
import { storesOf } from "../stores.ts";
import { print, sizeText } from "../terminal.ts";

const CONTAINMENT: Readonly<Record<SessionFacts["containment"], string>> = {
  handle: "every step is held open; links and races cannot lead outside",
  "best-effort": "names are checked before and after use; a fast enough race can still win",
  "in-memory": "nothing is on a disk",
};

const DURABILITY = {
  process: "a change survives the end of any process, not a power cut",
  power: "a change survives a power cut",
};

type Row = readonly [name: string, value: string];

/** `holdfast doctor [dir...]`: what protects this machine, what would be served, what is kept. Changes nothing. */
export async function doctor(settings: Settings): Promise<number> {
  const options = await configured(settings, settings.words, ".");
  const app = createApp(options);
  const { session, skipped, stateDirectory } = app;
  const { containment, pageBytes } = session.facts;
  const rows: readonly Row[] = [
    ["version", `${PRODUCT.version} on Node ${process.versions.node}, ${process.platform} ${process.arch}`],
    ["containment", `${containment}: ${CONTAINMENT[containment]}`],
    ...session.facts.roots().map((root): Row => ["root", rootLine(root)]),
    ...skipped.map(({ given, reason }): Row => ["skipped", `${quoted(given)}: ${reason}`]),
    ["tools", session.toolset.listed.map(({ name }) => name).join(" ")],
    ["page", `${pageBytes} bytes`],
    ...keptRows(app, options),
    ...options.places.filter(({ file }) => existsSync(file)).map(({ file }): Row => ["config", quoted(file)]),
    ["state", quoted(stateDirectory)],
  ];
  print(rows.map(([name, value]) => `${name.padEnd(14)}${value}`).join("\n"));
  return skipped.length > 0 ? 1 : 0;
}

const rootLine = ({ path, read, write }: ReturnType<SessionFacts["roots"]>[number]): string =>
  `${quoted(path)} (${read ? "read" : "no read"}, ${write ? "write" : "no write"})`;

/** What a read-only session keeps is nothing. */
function keptRows({ session, stateDirectory }: App, { durability = "process", trashHours }: Options): readonly Row[] {
  const { writing, roots } = session.workspace;
  if (!writing) return [];
  const stores = storesOf([stateDirectory, ...roots.map(({ real }) => real)]);
  const { changes, pending } = writing.counts();
  const [history, trash] = (["objects", "trash"] as const).map((folder) =>
    sizeText(stores.reduce((sum, store) => sum + store.bytesIn(folder), 0)),
  );
  const most = `at most ${sizeText(LIMITS.historyBytes)} and ${LIMITS.historyMs / DAY_MS} days`;
  const hours = `agents ${trashHours ?? LIMITS.agentTrashHours} h, command line ${LIMITS.userTrashHours} h`;
  return [
    ["durability", `${durability}: ${DURABILITY[durability]}`],
    ["history", `${counted(changes, "change")}, ${history} kept (${most})`],
    ["trash", `${counted(writing.trash.items().length, "thing")}, ${trash} (${hours})`],
    [
      "half done",
      pending === 0 ? "nothing" : `${counted(pending, "change")} of a process that ended; the next call settles it`,
    ],
    ...(stores.length === 0
      ? ([["store", "none yet"]] as const)
      : stores.map(({ path }): Row => ["store", quoted(path)])),
  ];
}
