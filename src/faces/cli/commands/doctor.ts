import { createApp } from "../../../app.ts";
import { PRODUCT } from "../../../base/product.ts";
import { quoted } from "../../../text/quote.ts";
import type { SessionFacts } from "../../../tools/tool.ts";
import type { Settings } from "../flags.ts";
import { print } from "../terminal.ts";

const CONTAINMENT: Readonly<Record<SessionFacts["containment"], string>> = {
  handle: "every step is held open; links and races cannot lead outside",
  "best-effort": "names are checked before and after use; a fast enough race can still win",
  "in-memory": "nothing is on a disk",
};

/** `holdfast doctor [dir...]`: what protects this machine, and what would be served. Changes nothing. */
export async function doctor(settings: Settings): Promise<number> {
  const { session, skipped, stateDirectory } = createApp({
    ...settings,
    roots: settings.rootsWith(settings.words, "."),
  });
  const { containment, pageBytes } = session.facts;
  const rows: readonly (readonly [string, string])[] = [
    ["version", `${PRODUCT.version} on Node ${process.versions.node}, ${process.platform} ${process.arch}`],
    ["containment", `${containment}: ${CONTAINMENT[containment]}`],
    ...session.facts.roots().map((root): [string, string] => ["root", rootLine(root)]),
    ...skipped.map(({ given, reason }): [string, string] => ["skipped", `${quoted(given)}: ${reason}`]),
    ["tools", session.toolset.listed.map(({ name }) => name).join(" ")],
    ["page", `${pageBytes} bytes`],
    ["state", quoted(stateDirectory)],
  ];
  print(rows.map(([name, value]) => `${name.padEnd(14)}${value}`).join("\n"));
  return skipped.length > 0 ? 1 : 0;
}

const rootLine = ({ path, read, write }: ReturnType<SessionFacts["roots"]>[number]): string =>
  `${quoted(path)} (${read ? "read" : "no read"}, ${write ? "write" : "no write"})`;
