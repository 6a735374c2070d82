import { dirname, join } from "node:path";
import { describe, it } from "vitest";
import { createLocalStorage } from "../../src/storage/local/local.ts";
import { watchingSuite } from "../../src/testing/watching.ts";
import { layout, memoryLayout } from "../layout.ts";

watchingSuite({ describe, it }, "in-memory", (tree) => memoryLayout(tree));

for (const containment of ["handle", "best-effort"] as const) {
  watchingSuite({ describe, it }, containment, (tree) => {
    const root = layout(tree);
    const writing = { stateDirectory: join(dirname(root), "state"), durability: "process" as const };
    return createLocalStorage([root], { containment, writerOptions: writing });
  });
}
