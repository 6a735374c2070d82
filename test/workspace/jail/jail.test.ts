import { describe, it } from "vitest";
import { createLocalStorage } from "../../../src/storage/local/local.ts";
import { objectStorage } from "../../../src/storage/objects/object-storage.ts";
import { hostilePathsSuite } from "../../../src/testing/hostile-paths.ts";
import { OBJECT_ROOT } from "../../../src/testing/objects/change-set-fixture.ts";
import { layout, memoryLayout, objectLayout } from "../../layout.ts";
import { JAILS } from "../../storage/jails.ts";

for (const { name, jail } of JAILS)
  hostilePathsSuite({ describe, it }, { name, symlinks: true }, (tree) => createLocalStorage([layout(tree)], jail));

hostilePathsSuite({ describe, it }, { name: "in-memory", symlinks: true }, (tree) => memoryLayout(tree));

hostilePathsSuite({ describe, it }, { name: "in-memory, by name", symlinks: false }, (tree) =>
  memoryLayout(tree, "//ROOT"),
);

hostilePathsSuite({ describe, it }, { name: "objects, by name", symlinks: false }, (tree) =>
  objectStorage(objectLayout(tree)).mount(OBJECT_ROOT),
);
