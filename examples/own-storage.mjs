// A storage of your own as a root: tools, rules, history and undo work on it. Run: node examples/own-storage.mjs
import { createHoldfast, objectStorage } from "holdfast";
import { tableStore } from "./table-store.mjs";

const objects = tableStore({ "notes/today.txt": Buffer.from("one\ntwo\n") });
const holdfast = createHoldfast({ roots: [{ name: "table", storage: objectStorage(objects) }] });

const show = async (path) => {
  const { isError, text } = await holdfast.call("read", { path });
  console.log(`${path}: ${isError ? text.split("\n")[0] : JSON.stringify(text)}`);
};

await show("//table/notes/today.txt");
await holdfast.call("edit", { path: "notes/today.txt", oldText: "two", newText: "three" });
await show("notes/today.txt");
await holdfast.undo();
await show("notes/today.txt");
await show("//table/../elsewhere");
holdfast.close();
