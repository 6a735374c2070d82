import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import type { Checkpoint } from "../../../base/time-slicing.ts";
import type { State } from "../../../storage/state.ts";
import type { SafePath } from "../../../storage/storage.ts";
import type { LayerHarvest, ViewDirectories, ViewLayer } from "../../../storage/views.ts";
import type { ObjectName, StorageWriter } from "../../../storage/writer.ts";
import type { History } from "../history.ts";
import { newTag, nextChangeIdAt } from "../journal/change-id.ts";
import { createViewNotes, type Harvest, type HeldView, type ViewNotes } from "./held-view.ts";
import type { PlanOptions } from "./plan-context.ts";
import { planViewChanges, type ViewPlan } from "./plan-view.ts";

/** Keeps the copy-on-write views of commands, and plans what becomes of their changes. */
export interface CommandViews {
  /** Returns false where this machine cannot. */
  canCreate(): boolean;
  /** Creates a view of some roots. */
  create(roots: readonly SafePath[]): HeldView;
  /** Finds a view that some process created; null when it is gone, or is erased before anything else happens. */
  open(id: string): HeldView | null;
  /** Keeps a view for a day from now, also when its process exits. */
  keep(id: string): void;
  /** Lists what a command left. Requires that all its processes are gone. The list never changes once it is made. */
  harvest(id: string, checkpoint: Checkpoint): Promise<Harvest>;
  /** Plans the changes of a harvest for the workspace as it is now. */
  plan(id: string, options: PlanOptions): Promise<ViewPlan>;
  /** Erases a view, with all that was not applied. */
  discard(id: string): Promise<void>;
  /** Erases views of exited processes, and those that were kept long enough. */
  expire(nowMs: number): Promise<void>;
}

interface ViewContext {
  readonly writer: StorageWriter;
  readonly state: State;
  readonly history: Pick<History, "records" | "contentOfVersion">;
}

/** Returns undefined where the storage has no views. */
export function createCommandViews({ writer, state, history }: ViewContext): CommandViews | undefined {
  const { views } = writer;
  if (!views) return undefined;
  const notes = createViewNotes(state);
  const discard = async (id: string): Promise<void> => {
    for (const { object } of notes.read(id)?.layers ?? []) await writer.erase(object);
    notes.remove(id);
  };
  const harvest = async (id: string, checkpoint: Checkpoint): Promise<Harvest> => {
    const known = notes.harvest(id);
    if (known) return known;
    const harvested = await harvestLayers(views, requireView(notes, id), checkpoint);
    notes.writeHarvest(id, harvested);
    return harvested;
  };
  return {
    canCreate: views.canCreate,
    create(roots) {
      const id = newTag();
      const empty = { id, firstChange: nextChangeIdAt(Date.now()), owner: state.self };
      const planned = roots.map((root, nth) => plannedLayer(root, writer.objectFor(root, "views", `${id}-${nth}`)));
      // Noted before it exists: if we die in between, it is erased by its note.
      notes.write({ ...empty, layers: planned });
      const view = { ...empty, layers: planned.map(({ root, object }) => views.create(root, object)) };
      notes.write(view);
      return view;
    },
    open: (id) => (isOver(state, notes, id, Date.now()) ? null : notes.read(id)),
    keep: (id) => notes.write({ ...requireView(notes, id), keptUntilMs: Date.now() + LIMITS.viewMs }),
    harvest,
    async plan(id, options) {
      const view = requireView(notes, id);
      return planViewChanges({ writer, views, history }, view, await harvest(id, options.checkpoint), options);
    },
    discard,
    async expire(nowMs) {
      for (const id of notes.ids()) if (isOver(state, notes, id, nowMs)) await discard(id);
    },
  };
}

function requireView(notes: ViewNotes, id: string): HeldView {
  const view = notes.read(id);
  if (view) return view;
  throw new Fault(
    "not_found",
    "Cannot find the changes of this command: they were applied, discarded, or are too old",
    {
      hint: "Run the command again",
    },
  );
}

const plannedLayer = (root: SafePath, object: ObjectName): ViewLayer => ({
  root,
  object,
  upper: "",
  work: "",
  startNs: "0",
});

async function harvestLayers(views: ViewDirectories, view: HeldView, checkpoint: Checkpoint): Promise<Harvest> {
  const layers: LayerHarvest[] = [];
  let left: number = LIMITS.viewEntries;
  for (const layer of view.layers) {
    const harvested = await views.harvest(layer, left, checkpoint);
    left -= harvested.entries.length;
    layers.push(harvested);
  }
  return { layers };
}

/** Checks that nobody needs a view. Its note may have been damaged: then only its age counts. */
function isOver(state: State, notes: ViewNotes, id: string, nowMs: number): boolean {
  const view = notes.read(id);
  const isOld = nowMs - notes.writtenMs(id) > LIMITS.viewMs;
  if (!view) return isOld;
  return view.keptUntilMs === undefined ? state.hasExited(view.owner, isOld) : view.keptUntilMs <= nowMs;
}
