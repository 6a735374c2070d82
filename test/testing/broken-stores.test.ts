import { expect, it } from "vitest";
import { memoryObjects } from "../../src/storage/objects/memory-objects.ts";
import { objectStoreSuite } from "../../src/testing/object-store.ts";
import { LISTING } from "./broken-stores/listing.ts";
import { RACING } from "./broken-stores/racing.ts";
import { READING } from "./broken-stores/reading.ts";
import { REMOVING } from "./broken-stores/removing.ts";
import { WRITING } from "./broken-stores/writing.ts";
import { failingRows } from "./failing-rows.ts";

it.each([...READING, ...WRITING, ...REMOVING, ...RACING, ...LISTING])(
  "a store that $fault fails: $row",
  async ({ row, broken }) => {
    const failing = await failingRows((functions) =>
      objectStoreSuite(functions, "broken", (contents) => {
        const objects = memoryObjects(contents);
        return { ...objects, ...broken(objects) };
      }),
    );
    expect(failing).toContain(row);
  },
);
