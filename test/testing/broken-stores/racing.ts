import type { ObjectContent, ObjectStore, When } from "../../../src/storage/objects/object-store.ts";
import { type BrokenStore, drop, force, soon } from "./broken-store.ts";

export const RACING: readonly BrokenStore[] = [
  ...["two writers", "two writers of a new object", "a removal and a write"].map((who) => ({
    fault: `checks, then writes: ${who}`,
    row: `lets one of ${who} win`,
    broken: checkThenPut((content) => content instanceof Uint8Array),
  })),
  ...["two copies", "two copies to a new object", "a write and a copy", "a removal and a copy"].map((who) => ({
    fault: `checks, then copies: ${who}`,
    row: `lets one of ${who} win`,
    broken: checkThenPut((content) => !(content instanceof Uint8Array)),
  })),
  ...["two removals", "a removal and a write", "a removal and a copy"].map((who) => ({
    fault: `checks, then removes: ${who}`,
    row: `lets one of ${who} win`,
    broken: (objects: ObjectStore): Partial<ObjectStore> => ({
      async remove(key, match) {
        const isRight = (await objects.head(key))?.tag === match;
        await soon();
        if (isRight) await drop(objects, key);
        return isRight;
      },
    }),
  })),
];

/** Lets others write between the check of a precondition and the write. */
function checkThenPut(isRacy: (content: ObjectContent) => boolean): BrokenStore["broken"] {
  return (objects) => ({
    async put(key, content, when: When) {
      if (!isRacy(content)) return objects.put(key, content, when);
      const now = await objects.head(key);
      const isRight = "match" in when ? now?.tag === when.match : now === null;
      await soon();
      return isRight ? force(objects, key, content) : null;
    },
  });
}
