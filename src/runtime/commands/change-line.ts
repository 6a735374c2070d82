import type { ChangedPath } from "../../text/folded-changes.ts";
import { plural } from "../../text/plural.ts";
import { quoted } from "../../text/quote.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { ViewChange } from "../../workspace/changes/views/change-list.ts";

/** Returns a change as answers list it: alone in a line, or folded with others of its directory. */
export const changedPath = (change: ViewChange, nameOf: (path: SafePath) => string): ChangedPath => ({
  action: change.action,
  path: nameOf(change.path),
  line: changeLine(change, nameOf),
  isRemarkable: change.isGitControl,
});

/** Shows one change: "created out/a.js (12 bytes)", "deleted src (40 files)". */
export function changeLine(change: ViewChange, nameOf: (path: SafePath) => string): string {
  const { action, path, from, bytes, files, lines, mode, uncopied, isGitControl } = change;
  const facts = [
    files !== undefined && plural(files, "file"),
    lines ? `+${lines.added} −${lines.removed}` : plural(bytes, "byte"),
    mode !== undefined && `permissions ${mode.toString(8)}`,
    from !== undefined && `same content as ${quoted(nameOf(from))} had`,
    uncopied !== undefined && (files === undefined ? "no copy kept" : `no copy kept of ${uncopied}`),
    isGitControl && action !== "deleted" && "decides what git runs",
  ].filter(Boolean);
  return `${action} ${quoted(nameOf(path))} (${facts.join(", ")})`;
}
