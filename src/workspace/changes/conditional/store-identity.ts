import { Fault } from "../../../base/errors.ts";
import type { ObjectStore } from "../../../storage/objects/object-store.ts";
import { giveStoreId, readStoreId } from "../../../storage/objects/store-id.ts";
import type { State } from "../../../storage/state.ts";

/** Tells whether a store is the one that the history under its name belongs to. Another may have been mounted. */
export interface StoreIdentity {
  /** Returns the id of the store; before it was asked, or where it cannot be reached, the one of the history. */
  id(): string | null;
  /** Returns false once the store is known to be another one. */
  isSame(): boolean;
  /** Asks the store, the first time that this is called. Where it cannot be reached, nothing is known. */
  identify(): Promise<void>;
  /** Returns the id of the store, which gets one at its first change. Throws when it is another one. */
  require(): Promise<string>;
}

export function createStoreIdentity(objects: ObjectStore, state: State, root: string): StoreIdentity {
  const ofHistory = (): string | null => state.read(FILE);
  let ofStore: string | null | undefined;
  const ask = async (): Promise<string | null> => (ofStore = await readStoreId(objects));
  const isSame = (): boolean => ofStore === undefined || (ofHistory() ?? ofStore) === ofStore;
  return {
    id: () => (ofStore === undefined ? ofHistory() : ofStore),
    isSame,
    async identify() {
      if (ofStore === undefined) await ask().catch(() => {});
    },
    async require() {
      const now = await ask();
      if (!isSame()) throw otherStoreFault(root);
      const id = (ofStore = now ?? (await giveStoreId(objects)));
      if (ofHistory() === null) state.write(FILE, id);
      return id;
    },
  };
}

const FILE = "store-id";

const otherStoreFault = (root: string): Fault =>
  new Fault("root_gone", `Cannot change ${root}: the history under this name belongs to another store`, {
    hint: "Nothing was changed: ask the user to mount the store that was here before, or to give this one another name",
  });
