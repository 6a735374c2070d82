import { LIMITS } from "../../../base/limits.ts";
import { isoOf } from "../../../base/time.ts";
import type { AuditFile } from "../../../runtime/audit.ts";
import { checkAudit } from "../../../runtime/audit-check.ts";
import { counted } from "../../../text/counted.ts";
import { quoted, visible } from "../../../text/quote.ts";
import { shortSession } from "../changes.ts";
import { atDesk, type Desk } from "../desk.ts";
import type { Settings } from "../flags.ts";
import { aligned, type Cell, localTime, print, toned, warn } from "../terminal.ts";
import { wrongVerb } from "../wrong-verb.ts";

/** `holdfast audit show|verify|blame <path>`: what calls were made, whether the log is whole, who wrote which line. */
export async function audit(settings: Settings): Promise<number> {
  const [action = "", ...words] = settings.words;
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (!act || words.length !== (action === "blame" ? 1 : 0)) return wrongVerb("audit", settings.words[0]);
  let isGood = true;
  const code = await atDesk(settings, async (desk) => {
    isGood = await act(desk, settings, words[0] ?? "");
  });
  return isGood ? code : 1;
}

/** False when something is wrong. */
type Action = (desk: Desk, settings: Settings, path: string) => Promise<boolean>;

const ACTIONS: Readonly<Record<string, Action>> = { show, verify, blame };

interface Shown {
  readonly time: number;
  readonly session: string;
  readonly tool: string;
  readonly code: string;
  readonly ms: number;
  readonly input?: unknown;
  readonly change?: string;
}

async function show({ upkeep }: Desk, { json, limit = LIMITS.historyEntries }: Settings): Promise<boolean> {
  const records = recordsIn(upkeep.audit()).slice(-limit);
  if (json) print(JSON.stringify({ records }));
  else print(records.length === 0 ? "No call was made here yet" : aligned(records.map(cellsOf)));
  return true;
}

const recordsIn = (files: readonly AuditFile[]): readonly Shown[] =>
  files.flatMap(({ text }) => text.split("\n").flatMap((line) => recordIn(line) ?? []));

function recordIn(line: string): Shown | undefined {
  try {
    return JSON.parse(line) as Shown;
  } catch {
    return undefined;
  }
}

const cellsOf = ({ time, session, tool, code, ms, input, change = "" }: Shown): readonly Cell[] => [
  localTime(isoOf(time)),
  ["dim", shortSession(session)],
  ["strong", visible(tool)],
  [code === "ok" ? "good" : "bad", code],
  ["dim", `${ms} ms`],
  ["id", change],
  visible(JSON.stringify(input ?? {}).slice(0, SHOWN_CHARS)),
];

const SHOWN_CHARS = 80;

async function verify({ upkeep }: Desk, { json }: Settings): Promise<boolean> {
  const files = upkeep.audit();
  const { records, flaws } = checkAudit(files);
  if (json) print(JSON.stringify({ records, files: files.length, flaws }));
  else {
    for (const { file, line, flaw } of flaws) warn(`${file}:${line}: ${flaw}`);
    const found = flaws.length === 0 ? toned("good", "whole") : toned("bad", counted(flaws.length, "flaw"));
    print(`${counted(records, "record")} in ${counted(files.length, "file")}: ${found}`);
  }
  return flaws.length === 0;
}

async function blame({ upkeep }: Desk, { json }: Settings, path: string): Promise<boolean> {
  const lines = (await upkeep.blame(path)).map(({ text, record }, index) => ({
    line: index + 1,
    change_id: record?.id,
    time: record && isoOf(record.timeMs),
    session: record?.session,
    tool: record?.tool,
    text: text.replace(/\r?\n$/, ""),
  }));
  if (json) print(JSON.stringify({ path, lines }));
  else if (lines.length === 0) print(`${quoted(path)} is empty`);
  else print(aligned(lines.map(blamedCells)));
  return true;
}

interface Blamed {
  readonly line: number;
  readonly change_id: string | undefined;
  readonly time: string | undefined;
  readonly session: string | undefined;
  readonly tool: string | undefined;
  readonly text: string;
}

const blamedCells = ({ line, change_id = "-", time, session = "", tool = "", text }: Blamed): readonly Cell[] => [
  ["id", change_id],
  time === undefined ? "" : localTime(time),
  ["dim", shortSession(session)],
  ["strong", tool],
  ["dim", String(line)],
  visible(text),
];
