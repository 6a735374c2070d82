import { handsContract } from "../contracts/hands.ts";
import { keptTreeContract } from "../contracts/hands-kept.ts";
import { storageContract } from "../contracts/storage.ts";
import { memoryLayout } from "../layout.ts";

storageContract({ symlinks: true, permissions: false, containment: "in-memory" }, memoryLayout);

const inMemory = (tree: readonly string[]) => ({ storage: memoryLayout(tree), outside: () => null });

handsContract("in-memory", inMemory);
keptTreeContract("in-memory", inMemory);
