import { writerContract } from "../contracts/writer.ts";
import { backupTreeContract } from "../contracts/writer-backups.ts";
import { storageContract } from "../contracts/storage.ts";
import { memoryLayout } from "../layout.ts";

storageContract({ symlinks: true, permissions: false, containment: "in-memory" }, memoryLayout);

const inMemory = (tree: readonly string[]) => ({ storage: memoryLayout(tree), outside: () => null });

writerContract("in-memory", inMemory);
backupTreeContract("in-memory", inMemory);
