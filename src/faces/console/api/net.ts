import * as z from "zod";
import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import type { ChangeHistory, NetEffect } from "../../../runtime/change-history.ts";
import type { ChangedFile, NetChange, NetFile } from "../contract.ts";
import { pastFormOf } from "./change-entry.ts";
import { createDiffPages } from "./diffs.ts";
import { countText, type Endpoint, idText, parsed, pathText } from "./endpoint.ts";
import { nameWithin } from "./names.ts";
import { rootsOfChange, rootsOfSession, withHistory } from "./scope.ts";

const query = z
  .strictObject({
    session: idText.optional(),
    changes: z
      .string()
      .transform((text) => text.split(","))
      .pipe(z.array(idText).min(1).max(LIMITS.consoleCompared))
      .optional(),
    path: pathText.optional(),
    line: countText.optional(),
  })
  .refine(({ session, changes }) => (session === undefined) !== (changes === undefined), "give session or changes");

export const net: Endpoint = {
  method: "GET",
  path: "/api/net",
  async handle(call): Promise<NetChange> {
    const { session = "", changes, path, line } = parsed(query, call.query);
    const roots = changes
      ? [...new Set(changes.flatMap((id) => rootsOfChange(call, id)))]
      : await rootsOfSession(call, session);
    return withHistory(call, roots, async (history) => {
      const effects = await (changes ? history.netOfChanges(new Set(changes)) : history.netOf(session));
      const wanted = path === undefined ? effects : effects.filter((effect) => fileOf(effect).path === path);
      const files: NetFile[] = [];
      for (const [nth, effect] of wanted.entries())
        files.push(await netFileOf(effect, history, nth < LIMITS.consoleDiffFiles));
      if (path === undefined) return { files };
      const [effect] = wanted;
      if (!effect)
        throw new Fault("not_found", `Cannot compare ${JSON.stringify(path)}: nothing is left of changes to it`);
      return { files, diff: createDiffPages().pageOf(fileOf(effect), await history.netDiffOf(effect), line) };
    });
  },
};

/** Names a file as its session knows it. */
export const fileOf = ({ path, from, action, roots }: NetEffect): ChangedFile => ({
  path: nameWithin(roots, path),
  ...(from !== undefined && { from: nameWithin(roots, from) }),
  action: pastFormOf(action),
});

async function netFileOf(effect: NetEffect, history: ChangeHistory, isCounted: boolean): Promise<NetFile> {
  const { effects, changes, others } = effect;
  const [only] = effects;
  const lines = effects.length === 1 ? only?.lines : isCounted ? linesIn(await history.netDiffOf(effect)) : undefined;
  return { ...fileOf(effect), ...(lines && { added: lines.added, removed: lines.removed }), changes, others };
}

/** Counts the lines of a diff. */
function linesIn({
  diff,
}: {
  readonly diff?: string;
}): { readonly added: number; readonly removed: number } | undefined {
  if (diff === undefined) return undefined;
  const body = diff.slice(diff.indexOf("@@ "));
  return { added: body.match(/^\+/gm)?.length ?? 0, removed: body.match(/^-/gm)?.length ?? 0 };
}
