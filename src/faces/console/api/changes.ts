import * as z from "zod";
import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { isWithin } from "../../../base/paths.ts";
import type { PastChange } from "../../../runtime/change-history.ts";
import type { ChangeDetail, ChangeEntry, ChangeList, FileDiff } from "../contract.ts";
import { changeEntryOf, mentions, namedFiles, shownEffects } from "./change-entry.ts";
import { createDiffPages } from "./diffs.ts";
import { type ApiCall, countText, type Endpoint, idText, nameOf, parsed, pathText, searchText } from "./endpoint.ts";
import { rootsOfChange, wholeHistory, withHistory } from "./scope.ts";

const listQuery = z.strictObject({
  session: idText.optional(),
  path: pathText.optional(),
  search: searchText.optional(),
  cursor: idText.optional(),
  limit: countText.optional(),
});

type ListQuery = z.output<typeof listQuery>;

const list: Endpoint = {
  method: "GET",
  path: "/api/changes",
  async handle(call): Promise<ChangeList> {
    const query = parsed(listQuery, call.query);
    const most = Math.min(query.limit ?? LIMITS.consoleEntries, LIMITS.consoleEntriesMost);
    const history = wholeHistory(call);
    const changes: ChangeEntry[] = [];
    let seen = 0;
    let last: string | undefined;
    for await (const change of history.changes()) {
      if (query.cursor !== undefined && change.id >= query.cursor) continue;
      if (changes.length === most || seen++ === LIMITS.consoleChanges)
        return { changes, ...(last !== undefined && { cursor: last }) };
      last = change.id;
      if (!isWanted(change, query)) continue;
      const entry = await changeEntryOf(change, history, call.sessions);
      if (mentions(entry, query.search?.toLowerCase() ?? "")) changes.push(entry);
    }
    return { changes };
  },
};

/** A path is one as a session knows it, or a real one. */
function isWanted(change: PastChange, { session, path }: ListQuery): boolean {
  if (session !== undefined && change.session !== session) return false;
  if (path === undefined) return true;
  const names = namedFiles(change.effects, change).flatMap((file) => [file.path, file.from ?? file.path]);
  const places = change.effects.flatMap((effect) => [effect.path, effect.from ?? effect.path]);
  return [...names, ...places].some((name) => isWithin(name, path));
}

const detailQuery = z.strictObject({ path: pathText.optional(), line: countText.optional() });

const detail: Endpoint = {
  method: "GET",
  path: "/api/changes/:",
  async handle(call): Promise<ChangeDetail> {
    const query = parsed(detailQuery, call.query);
    const id = nameOf(call);
    const roots = rootsOfChange(call, id);
    const change = await pastChange(call, id);
    const entry = await changeEntryOf(change, wholeHistory(call), call.sessions);
    return { ...entry, diffs: await diffsOf(call, change, roots, query) };
  },
};

/** Finds a change together with whether it was undone, which only later changes say. */
async function pastChange(call: ApiCall, id: string): Promise<PastChange> {
  for await (const change of wholeHistory(call).changes()) if (change.id === id) return change;
  throw new Fault("not_found", `Cannot find the change ${JSON.stringify(id)}: the history does not have it`);
}

async function diffsOf(
  call: ApiCall,
  change: PastChange,
  roots: readonly string[],
  { path, line }: z.output<typeof detailQuery>,
): Promise<readonly FileDiff[]> {
  const pages = createDiffPages();
  const effects = shownEffects(change);
  const wanted = namedFiles(effects, change).flatMap((file, nth) => {
    const effect = effects[nth];
    return effect && (path === undefined || file.path === path) ? [{ file, effect }] : [];
  });
  return withHistory(call, roots, async (history) => {
    const diffs: FileDiff[] = [];
    for (const [nth, { file, effect }] of wanted.entries()) {
      const [compared] = nth < LIMITS.consoleDiffFiles ? await history.diffsOf([effect]) : [];
      diffs.push(compared ? pages.pageOf(file, compared, line) : pages.leftOut(file));
    }
    return diffs;
  });
}

export const changes: readonly Endpoint[] = [list, detail];
