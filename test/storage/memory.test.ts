import { handsContract } from "../contracts/hands.ts";
import { storageContract } from "../contracts/storage.ts";
import { memoryLayout } from "../layout.ts";

storageContract({ symlinks: true, permissions: false, containment: "in-memory" }, memoryLayout);

handsContract("in-memory", (tree) => ({ storage: memoryLayout(tree), outside: () => null }));
