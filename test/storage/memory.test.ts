import { describe, it } from "vitest";
import { writerSuite } from "../../src/testing/writer.ts";
import { backupTreeSuite } from "../../src/testing/writer-backups.ts";
import { storageSuite } from "../../src/testing/storage.ts";
import { memoryLayout } from "../layout.ts";

storageSuite({ describe, it }, { symlinks: true, permissions: false, containment: "in-memory" }, (tree) =>
  memoryLayout(tree),
);

const inMemory = (tree: readonly string[]) => ({ storage: memoryLayout(tree), outside: () => null });

writerSuite({ describe, it }, "in-memory", inMemory);
backupTreeSuite({ describe, it }, "in-memory", inMemory);
