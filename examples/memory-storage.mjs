// Tests an agent without a disk: files go in as an object and come out as one. Run: node examples/memory-storage.mjs
import { createHoldfast, memoryStorage } from "holdfast";

const storage = memoryStorage({ "src/main.ts": "const one = 1;\n", "old.txt": "old\n" });
const holdfast = createHoldfast({ roots: [{ name: "project", storage }] });

// Here your agent would call the tools of holdfast.tools().
await holdfast.call("edit", { path: "src/main.ts", oldText: "1", newText: "2" });
await holdfast.call("delete", { path: "old.txt" });
console.log("after:", JSON.stringify(storage.files()));

await holdfast.undo();
console.log("undone:", Object.keys(storage.files()).join(" "));
holdfast.close();
