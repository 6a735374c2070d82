import * as z from "zod";
import { Fault } from "../../../base/errors.ts";
import { isWithin } from "../../../base/paths.ts";
import type { Snapshot } from "../../../storage/writer.ts";
import type { Change } from "../../../workspace/changes/change.ts";
import type { Target, View } from "../../../workspace/view.ts";
import { changed, mutating } from "./change-answer.ts";
import { pathInput } from "../../paths.ts";
import { ifMatch, mkdirMissingParents, requireMatch, requireParents, requireThere } from "./preconditions.ts";
import { UNLISTED } from "../../unlisted.ts";

/** The input of move and copy. */
export const relocating = z.strictObject({
  source: pathInput,
  destination: pathInput,
  overwrite: z.boolean().default(false),
  create_parents: z.boolean().default(true).meta(UNLISTED.rare),
  if_match: ifMatch,
  ...mutating,
});

export const relocated = z.object({
  source: z.string(),
  destination: z.string(),
  size: z.int().optional(),
  version: z.string().optional(),
  replaced: z.boolean(),
  ...changed,
});

type Input = z.output<typeof relocating>;

/** A checked source and destination, with the changes that have to come first. */
export interface Relocation {
  readonly from: Target & { readonly now: Snapshot };
  readonly to: Target;
  readonly before: readonly Change[];
  /** The version that is replaced. It is null if the destination is free. */
  readonly replaces: string | null;
}

/**
 * Checks source and destination. Links are not followed. A destination is a full name, never a directory to put the
 * source into.
 */
export async function relocation(args: Input, view: View, verb: "move" | "copy"): Promise<Relocation> {
  const { source, destination, overwrite, create_parents, if_match } = args;
  const from = await view.resolveTarget(source, "keep");
  const now = await requireThere(from, source, view);
  await requireMatch(from, if_match, source, view);
  const to = await view.resolveTarget(destination, "keep");
  if (to.place !== from.place && isWithin(to.place, from.place))
    throw new Fault("invalid_input", `Cannot ${verb} ${JSON.stringify(source)} into itself`, {
      argument: "destination",
    });
  if (to.place !== from.place) requireFree(to.now, overwrite, destination, verb);
  if (!create_parents) requireParents(to, view);
  return { from: { ...from, now }, to, before: mkdirMissingParents(to), replaces: to.now?.version ?? null };
}

function requireFree(now: Snapshot | null, overwrite: boolean, path: string, verb: string): void {
  if (!now || (overwrite && now.facts.kind !== "directory")) return;
  const isDirectory = now.facts.kind === "directory";
  const state = isDirectory ? "a directory is there; name the full path below it" : "something is there already";
  throw new Fault("exists", `Cannot ${verb} to ${JSON.stringify(path)}: ${state}`, {
    path,
    ...(isDirectory && { hint: "Name the full path that it should have" }),
  });
}
