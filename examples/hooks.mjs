// Hooks: one before every call, which lets it pass, refuses it or changes it, and one after the call.
// Run: node examples/hooks.mjs
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHoldfast } from "holdfast";

const root = mkdtempSync(join(tmpdir(), "hooks-"));
writeFileSync(join(root, "notes.txt"), "one\ntwo\nthree\n");

/** @type {import("holdfast").BeforeCall} */
const beforeCall = ({ tool, input }) => {
  if (tool === "delete") return { block: "nothing is deleted on Fridays" };
  // The rules judge a call that a hook has changed like any other call.
  if (tool === "read") return { input: { .../** @type {object} */ (input), limit: 1 } };
  // A hook that answers anything else, throws or takes longer than 10 s refuses the call.
  if (tool === "stat") throw new Error("the calendar does not answer");
  return undefined;
};

/** @type {import("holdfast").AfterCall} */
const afterCall = ({ tool, code }) => console.log(`told: ${tool} ${code}`);

const holdfast = createHoldfast({
  roots: [root],
  hooks: [{ beforeCall, afterCall }],
  // The operator learns why a hook failed, the model only that it did.
  warn: (message) => console.log(`warned: ${message}`),
});

for (const tool of ["read", "delete", "stat"]) {
  const { isError, text } = await holdfast.call(tool, { path: "notes.txt" });
  console.log(isError ? "refused:" : "answered:", text.split("\n")[0]);
}
holdfast.close();
