import { randomBytes } from "node:crypto";
import { createSemaphore, type Semaphore } from "../../../base/semaphore.ts";
import { type Cancellation, type Checkpoint, createCheckpoint } from "../../../base/time-slicing.ts";
import { duringCall } from "../../../storage/composed.ts";
import type { ObjectStore } from "../../../storage/objects/object-store.ts";
import type { Storage, Writer } from "../../../storage/storage.ts";
import type { ChangeEngine, EngineParts } from "../change-engine.ts";
import type { PutCommitter } from "./commit-puts.ts";
import { createObjectPlaces, createObjectProber } from "./object-places.ts";
import { createObjectTrash } from "./object-trash.ts";
import { countUnowned } from "./pending-puts.ts";
import { requireSupported } from "./plan-changes.ts";
import { createStoreIdentity } from "./store-identity.ts";
import { type Backups, createPruner } from "../trash/prune.ts";
import { treeBytes } from "./erase.ts";

/** Creates the engine for an object store: one conditional write per object, put back when a later one is refused. */
export function createConditionalPuts(
  storage: Storage,
  { objects, backups, guarantees }: Extract<Writer, { kind: "conditional" }>,
  { state, journal, retention }: EngineParts,
): ChangeEngine {
  const places = createObjectPlaces(storage.roots[0] as string);
  const prober = createObjectProber(storage, backups, places);
  const proberDuring = (call: Cancellation) =>
    createObjectProber(duringCall(storage, call), duringCall(backups, call), places);
  const identity = createStoreIdentity(objects, state, places.root);
  const trash = createObjectTrash({ objects, places, identity, prober, state, retention });
  const committer: PutCommitter = { objects, places, identity, prober, trash, state, journal };
  const inQueue = createQueue(objects.source);
  const recover = (): Promise<void> => inQueue(UNCANCELLED, async () => (await loadRecovery()).recoverPuts(committer));
  const kept: Backups = {
    treeBytes: (object) => treeBytes(objects, places.keyOf(object)),
    discard: (id, names) =>
      inQueue(UNCANCELLED, async () => (await loadRecovery()).discardRecord(committer, id, names, newTag())),
  };
  const prune = createPruner({ backups: kept, state, journal, trash, recover });
  return {
    guarantees,
    recover,
    async commit(set, how) {
      const record = await inQueue(how.checkpoint, async () => {
        const [{ recoverPuts }, { commitPuts }] = await Promise.all([loadRecovery(), import("./commit-puts.ts")]);
        await recoverPuts(committer);
        return commitPuts(committer, set, how, newTag());
      });
      void prune(record);
      return record;
    },
    async dryRun({ changes }) {
      for (const change of changes) await requireSupported(prober, change);
    },
    prober,
    proberDuring,
    trash,
    identify: identity.identify,
    owns: ({ store }) => store !== undefined && store === identity.id(),
    unfinished: () => countUnowned(state),
  };
}

/** Loads at the first change what few sessions need. */
const loadRecovery = () => import("./recover-puts.ts");

const newTag = (): string => randomBytes(TAG_BYTES).toString("hex");

const TAG_BYTES = 8;
const UNCANCELLED: Checkpoint = createCheckpoint({ aborted: false });

/** Makes the changes of one store one after the other, whichever sessions of this process make them. */
function createQueue(objects: ObjectStore) {
  const semaphore = semaphores.get(objects) ?? createSemaphore(1);
  semaphores.set(objects, semaphore);
  return async <T>(checkpoint: Checkpoint, work: () => Promise<T>): Promise<T> => {
    const release = await semaphore.acquire(checkpoint);
    try {
      return await work();
    } finally {
      release();
    }
  };
}

const semaphores = new WeakMap<ObjectStore, Semaphore>();
