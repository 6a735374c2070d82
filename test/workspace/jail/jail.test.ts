import { describe, it } from "vitest";
import { createLocalStorage } from "../../../src/storage/local/local.ts";
import { hostilePathsSuite } from "../../../src/testing/hostile-paths.ts";
import { layout, memoryLayout } from "../../layout.ts";
import { JAILS } from "../../storage/jails.ts";

for (const { name, jail } of JAILS)
  hostilePathsSuite({ describe, it }, { name, symlinks: true }, (tree) => createLocalStorage([layout(tree)], jail));

hostilePathsSuite({ describe, it }, { name: "in-memory", symlinks: true }, memoryLayout);
