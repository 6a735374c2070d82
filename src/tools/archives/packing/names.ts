import { LIMITS } from "../../../base/limits.ts";
import { quoted } from "../../../text/quote.ts";
import type { SkippedEntry } from "./selection.ts";

/** Lists the first files, so that whoever approves the change sees them. */
export function shownNames(files: readonly { readonly path: string }[]): readonly string[] {
  const shown = files.slice(0, LIMITS.archiveNamesListed).map(({ path }) => `  ${quoted(path)}`);
  const more = files.length - shown.length;
  return more > 0 ? [...shown, `  … ${more} more`] : shown;
}

/** Names what was left out, and why. */
export function skippedNotes(skipped: readonly SkippedEntry[]): readonly string[] {
  const notes = skipped
    .slice(0, LIMITS.archiveNamesListed)
    .map(({ name, reason }) => `skipped ${quoted(name)}: ${reason}`);
  const more = skipped.length - notes.length;
  return more > 0 ? [...notes, `${more} more were skipped`] : notes;
}
