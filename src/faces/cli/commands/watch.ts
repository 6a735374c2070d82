import { isoOf } from "../../../base/time.ts";
import { quoted } from "../../../text/quote.ts";
import type { WatchedEvent } from "../../sdk/watch-events.ts";
import { withCliWorkspace, type CliWorkspace } from "../cli-workspace.ts";
import type { CliSettings } from "../flags.ts";
import { interruption } from "../interruption.ts";
import { localTime, print, type Tone, colored, warn } from "../terminal.ts";

/** Runs `holdfast watch [<dir>...]`: prints a line per event until it is interrupted. */
export async function watch(settings: CliSettings): Promise<number> {
  const show = settings.json ? (event: WatchedEvent) => print(JSON.stringify(event)) : showLine;
  return withCliWorkspace(settings, (workspace) => printEvents(workspace, show), settings.words);
}

async function printEvents(
  { watch: begin, roots, name }: CliWorkspace,
  show: (event: WatchedEvent) => void,
): Promise<void> {
  const { signal, stop } = interruption();
  try {
    const watches = await Promise.all(roots.map((root) => begin(root, { signal })));
    warn(`Watching ${name}; press Ctrl-C to stop`);
    await Promise.all(
      watches.map(async (events) => {
        for await (const event of events) show(event);
      }),
    );
  } finally {
    stop();
  }
}

function showLine(event: WatchedEvent): void {
  const time = colored("dim", localTime(isoOf(Date.now())).slice(-TIME_CHARS));
  if (event.type === "overflow") return print(`${time}  ${colored("bad", "some events were lost: too many at once")}`);
  const { type, path, change_id: id } = event;
  const name = type === "rename" ? `${quoted(event.from)} → ${quoted(path)}` : quoted(path);
  print([time, colored(TONES[type], type), name, id && colored("dim", `(change ${id})`)].filter(Boolean).join("  "));
}

const TIME_CHARS = "00:00:00".length;

const TONES: Readonly<Record<Exclude<WatchedEvent["type"], "overflow">, Tone>> = {
  create: "good",
  modify: "id",
  delete: "bad",
  rename: "place",
};
