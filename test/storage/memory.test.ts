import { handsContract } from "../contracts/writer.ts";
import { keptTreeContract } from "../contracts/writer-backups.ts";
import { storageContract } from "../contracts/storage.ts";
import { memoryLayout } from "../layout.ts";

storageContract({ symlinks: true, permissions: false, containment: "in-memory" }, memoryLayout);

const inMemory = (tree: readonly string[]) => ({ storage: memoryLayout(tree), outside: () => null });

handsContract("in-memory", inMemory);
keptTreeContract("in-memory", inMemory);
