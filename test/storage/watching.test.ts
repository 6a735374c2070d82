import { dirname, join } from "node:path";
import { createLocalStorage } from "../../src/storage/local/local.ts";
import { watchingContract } from "../contracts/watching.ts";
import { layout, memoryLayout } from "../layout.ts";

watchingContract("in-memory", memoryLayout);

for (const containment of ["handle", "best-effort"] as const) {
  watchingContract(containment, (tree) => {
    const root = layout(tree);
    const writing = { stateDirectory: join(dirname(root), "state"), durability: "process" as const };
    return createLocalStorage([root], { containment, writerOptions: writing });
  });
}
