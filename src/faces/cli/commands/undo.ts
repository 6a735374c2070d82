import { type Done, intended } from "../../../text/done.ts";
import { quoted } from "../../../text/quote.ts";
import { lastStanding, wholeSession } from "../changes.ts";
import { type Ask, atDesk } from "../desk.ts";
import type { Settings } from "../flags.ts";
import { print, toned, usage } from "../terminal.ts";

interface Undone {
  readonly undone: readonly string[];
  readonly files: readonly { readonly path: string; readonly action: Done }[];
  /** Absent in a dry run. */
  readonly change_id?: string;
}

/** `holdfast undo [<change-id>]`: takes back one change, those of a session, or all since a time. */
export async function undo(settings: Settings): Promise<number> {
  const { words, session, since, path, dryRun, json } = settings;
  if (words.length + ((session ?? since) ? 1 : 0) > 1)
    return usage("undo", "give one change, or --session, or --since", "holdfast undo --since 10m --dry-run");
  return atDesk(settings, async ({ ask }) => {
    const done = await ask<Undone>("undo", { ...(await whichOf(settings, ask)), path, dry_run: dryRun });
    print(json ? JSON.stringify(done) : wordsFor(done));
  });
}

/** Without a word about it: the last change that still stands, whoever made it. A person has no session of his own. */
async function whichOf({ words: [id], session, since, path }: Settings, ask: Ask) {
  if (session !== undefined || since !== undefined) return { session: await wholeSession(ask, session), since };
  return { change_id: id ?? (await lastStanding(ask, path)).change_id };
}

function wordsFor({ undone, files, change_id }: Undone): string {
  const isDone = change_id !== undefined;
  const head = isDone ? "Undid" : "Nothing was changed; this would undo";
  const back = !isDone ? [] : [toned("dim", `To take that back: holdfast undo ${change_id}`)];
  const lines = files.map(({ path, action }) => `  ${isDone ? action : intended(action)} ${quoted(path)}`);
  return [`${head} ${toned("id", undone.join(", "))}`, ...lines, ...back].join("\n");
}
