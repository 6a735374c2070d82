import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { childOf } from "../../../base/paths.ts";
import { type Checkpoint, createCheckpoint } from "../../../base/time-slicing.ts";
import { endsWithin } from "../../../base/timeout.ts";
import { entriesOfPicture, type PictureBytes } from "../../../storage/picture-entries.ts";
import { type CopiedRoot, type CopyContext, copyEntries, newBudget } from "./copies.ts";
import { copyPriority } from "./copy-priority.ts";

/** Copies the files of pictures, also in the background while commands run. */
export interface Copying {
  /** Resolves once a command may start: after what is most missed was copied, or after a short time. */
  start(id: string, roots: readonly PicturedRoot[], options: { readonly isPatient: boolean }): Promise<void>;
  /** Copies what was changed since, in the background. */
  resume(id: string, roots: readonly PicturedRoot[]): void;
  /** Resolves when nothing is copied any more for a picture. */
  stop(id: string): Promise<void>;
}

export interface PicturedRoot extends CopiedRoot {
  readonly bytes: PictureBytes;
}

interface Run {
  readonly signal: { aborted: boolean };
  readonly done: Promise<void>;
}

export function createCopying(context: Omit<CopyContext, "modeOf">): Copying {
  const runs = new Map<string, Run>();
  const begin = (
    id: string,
    roots: readonly PicturedRoot[],
  ): { readonly unsaved: Promise<void>; readonly done: Promise<void> } => {
    const signal = { aborted: false };
    const copy = createCopier(context, roots, createCheckpoint(signal));
    // Once it is stopped, what has no copy has none.
    const unsaved = copy("unsaved").catch(() => void (signal.aborted = true));
    const done = unsaved.then(() => copy("rest")).catch(() => {});
    runs.set(id, { signal, done });
    return { unsaved, done };
  };
  return {
    async start(id, roots, { isPatient }) {
      const { unsaved, done } = begin(id, roots);
      if (isPatient) await unsaved;
      await endsWithin(LIMITS.pictureWaitMs, done);
    },
    resume: (id, roots) => void begin(id, roots),
    async stop(id) {
      const run = runs.get(id);
      if (!run) return;
      run.signal.aborted = true;
      await run.done;
      runs.delete(id);
    },
  };
}

/** Copies what is most missed in each root first, then the rest. Drops all copies where the disk is full. */
function createCopier(
  context: Omit<CopyContext, "modeOf">,
  roots: readonly PicturedRoot[],
  checkpoint: Checkpoint,
): (part: "unsaved" | "rest") => Promise<void> {
  const budget = newBudget();
  const orders = roots.map((root) => ({
    root,
    order: copyPriority(root.bytes, (path) => context.writer.contentOf(childOf(root.root, path))),
    modeOf: modesIn(root.bytes),
  }));
  return async (part) => {
    for (const { root, order, modeOf } of orders) {
      const range = part === "unsaved" ? ([0, order.unsaved] as const) : ([order.unsaved] as const);
      const isDone = await copyEntries({ ...context, modeOf }, root, order.entries.slice(...range), budget, checkpoint);
      if (isDone) continue;
      for (const each of roots) await dropCopies(context, each);
      throw new Fault("disk_full", "Cannot keep copies: the disk is full");
    }
  };
}

/** The command needs the room more than the copies do. */
async function dropCopies({ writer, pictures }: Omit<CopyContext, "modeOf">, { copies }: CopiedRoot): Promise<void> {
  await writer.erase(copies);
  pictures.create(copies);
}

function modesIn(bytes: PictureBytes): (path: string) => number {
  let modes: ReadonlyMap<string, number> | undefined;
  return (path) => {
    modes ??= new Map(
      [...entriesOfPicture(bytes)].filter(({ kind }) => kind === "directory").map((entry) => [entry.path, entry.mode]),
    );
    return modes.get(path) ?? 0o755;
  };
}
