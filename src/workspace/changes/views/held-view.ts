import * as z from "zod";
import { parseStored } from "../../../base/stored-json.ts";
import type { State } from "../../../storage/state.ts";
import type { LayerHarvest } from "../../../storage/views.ts";
import { changeId, realPath, storedTime, viewEntry } from "../journal/record-schema.ts";

/** A copy-on-write view of roots, as the state remembers it. */
export type HeldView = Readonly<z.output<typeof heldView>>;

const layer = () =>
  z.object({ root: realPath, object: viewEntry, upper: z.string(), work: z.string(), startNs: z.string() });

const heldView = z.lazy(() =>
  z.object({
    id: changeId,
    layers: z.array(layer()).readonly(),
    /** Is not greater than the id of any change that was made since the view began. */
    firstChange: z.string(),
    /** Identifies the process that made it. */
    owner: z.string(),
    /** Says until when it is kept, whatever happens to that process. */
    keptUntilMs: storedTime.optional(),
  }),
);

/** Lists what a command left: the harvest of each layer of its view. */
export interface Harvest {
  readonly layers: readonly LayerHarvest[];
}

const left = () =>
  z.object({
    object: viewEntry,
    kind: z.enum(["file", "directory", "symlink", "other"]),
    size: z.number(),
    mode: z.number(),
    counted: z.object({ files: z.number(), bytes: z.number() }).optional(),
    hasGit: z.boolean().optional(),
    names: z.array(z.string()).optional(),
  });

const entry = () =>
  z.object({
    path: realPath,
    left: left().nullable(),
    isMerged: z.boolean().optional(),
    isCopied: z.boolean().optional(),
  });

const harvest = z.lazy(() =>
  z.object({
    layers: z.array(
      z.object({
        entries: z.array(entry()),
        refused: z.array(z.object({ path: z.string(), reason: z.string() })),
        refusedCount: z.number(),
      }),
    ),
  }),
);

/** Keeps notes of views, so that another process can apply, discard or erase them. */
export interface ViewNotes {
  ids(): readonly string[];
  read(id: string): HeldView | null;
  write(view: HeldView): void;
  /** Returns when the note was last written. */
  writtenMs(id: string): number;
  harvest(id: string): Harvest | null;
  writeHarvest(id: string, harvested: Harvest): void;
  remove(id: string): void;
}

export function createViewNotes(state: State): ViewNotes {
  const readAs = <T>(schema: z.ZodType<T>, file: string): T | null => {
    const text = state.read(file);
    return text === null ? null : (parseStored(schema, text) ?? null);
  };
  return {
    ids: () => state.list(VIEWS).filter((name) => changeId.safeParse(name).success),
    read: (id) => (changeId.safeParse(id).success ? readAs(heldView, fileOf(id)) : null),
    write: (view) => state.write(fileOf(view.id), JSON.stringify(view)),
    writtenMs: (id) => state.changedMs(fileOf(id)),
    harvest: (id) => readAs(harvest, harvestOf(id)),
    writeHarvest: (id, harvested) => state.write(harvestOf(id), JSON.stringify(harvested)),
    remove(id) {
      state.remove(harvestOf(id));
      state.remove(fileOf(id));
    },
  };
}

const VIEWS = "views";
const HARVESTS = "harvests";

const fileOf = (id: string): string => `${VIEWS}/${id}`;
const harvestOf = (id: string): string => `${HARVESTS}/${id}`;
