import { isoOf } from "../../../base/time.ts";
import type { ChangeHistory, PastChange } from "../../../runtime/change-history.ts";
import type { ChangedFile, ChangeEntry } from "../contract.ts";
import { nameWithin } from "./names.ts";
import type { Sessions } from "./sessions.ts";

type Effect = PastChange["effects"][number];

/** Describes a change for the page. */
export async function changeEntryOf(
  change: PastChange,
  history: ChangeHistory,
  { agentOf }: Sessions,
): Promise<ChangeEntry> {
  const { id, timeMs, session, principal, tool, command, isUndone, undoes = [] } = change;
  const final = isUndone ? undefined : await history.whyFinal(change);
  return {
    id,
    time: isoOf(timeMs),
    session,
    agent: agentOf(session),
    principal,
    tool,
    ...(command !== undefined && { command }),
    files: filesOf(change),
    undone: isUndone,
    undoes,
    ...(final !== undefined && { final }),
  };
}

/** Leaves out directories that were created only to hold something else of the change. */
export function shownEffects({ effects }: Pick<PastChange, "effects">): readonly Effect[] {
  const parents = new Set(effects.flatMap(({ path }) => parentsOf(path)));
  return effects.filter(({ action, path }) => action !== "mkdir" || !parents.has(path));
}

function parentsOf(path: string): readonly string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, nth) => names.slice(0, nth + 1).join("/"));
}

/** Lists the files of a change as its session knows them. */
export const filesOf = (change: Pick<PastChange, "effects" | "roots">): readonly ChangedFile[] =>
  namedFiles(shownEffects(change), change);

/** Names the files of effects as the session that made them knows them. */
export function namedFiles(effects: readonly Effect[], { roots }: Pick<PastChange, "roots">): readonly ChangedFile[] {
  const places = roots.map(({ path }) => path);
  return effects.map(({ path, from, action, lines }) => ({
    path: nameWithin(places, path),
    ...(from !== undefined && { from: nameWithin(places, from) }),
    action: pastFormOf(action),
    ...(lines && { added: lines.added, removed: lines.removed }),
  }));
}

export const pastFormOf = (action: Effect["action"]): string => PAST_FORMS[action];

const PAST_FORMS: Readonly<Record<Effect["action"], string>> = {
  create: "created",
  replace: "edited",
  append: "edited",
  move: "moved",
  copy: "copied",
  delete: "deleted",
  mkdir: "created",
  chmod: "permissions changed",
  restore: "restored",
};

/** Returns true if a text of a change or the name of one of its files holds the words. */
export const mentions = ({ id, tool, command = "", files }: ChangeEntry, words: string): boolean =>
  [id, tool, command, ...files.flatMap(({ path, from = "" }) => [path, from])].some((text) =>
    text.toLowerCase().includes(words),
  );
