import { LIMITS } from "../../../base/limits.ts";
import { plural } from "../../../text/plural.ts";
import { quoted } from "../../../text/quote.ts";
import type { View } from "../../view.ts";
import type { Effect } from "../change.ts";

/** Says why something that a command changed cannot be undone. */
export const NO_COPY = "no copy of it was kept before the command changed it";

/** Names some of what cannot be undone, and counts the rest: a command may change thousands of files. */
export function uncopiedNotes(view: View, uncopied: readonly Effect[]): readonly string[] {
  const named = uncopied.slice(0, LIMITS.refusedNames).map((effect) => uncopiedNote(view, effect));
  const more = uncopied.length - named.length;
  return more > 0 ? [...named, `${plural(more, "more change")} cannot be undone for the same reason`] : named;
}

const uncopiedNote = (view: View, { path, before, uncopied = 0 }: Effect): string =>
  before?.object === undefined
    ? `${quoted(view.nameOf(path))}: ${NO_COPY}; it stays as it is`
    : `${quoted(view.nameOf(path))}: no copy was kept of ${plural(uncopied, "file")} in it; the rest is back`;
