// Rules and approvals in code: what is allowed, what needs approval, and who gives it. Run: node examples/approvals.mjs
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHoldfast } from "holdfast";

const root = mkdtempSync(join(tmpdir(), "approvals-"));
mkdirSync(join(root, "config"));
for (const name of ["draft.txt", "report.txt", "config/app.json"]) writeFileSync(join(root, name), "{}\n");

const holdfast = createHoldfast({
  roots: [root],
  policy: {
    rules: [
      { act: "write", path: "config", decide: "blocked", reason: "the configuration is not for agents" },
      { act: "delete", decide: "approval", reason: "deleting needs a yes" },
    ],
  },
  // Here a program answers; it could also ask a person and wait. Exactly what is shown will be done.
  approver: async ({ tool, effect }) => {
    const decision = effect.parts.every(({ path }) => path.includes("draft")) ? "once" : "deny";
    console.log(`asked: ${tool}, ${effect.summary} -> ${decision}`);
    return { decision };
  },
});

for (const path of ["draft.txt", "report.txt"]) {
  const { isError, text } = await holdfast.call("delete", { path });
  console.log(isError ? `refused: ${text.split("\n")[0]}` : `done: ${path}`);
}
const written = await holdfast.call("write", { path: "config/app.json", content: "[]\n" });
console.log(`refused: ${written.data.error?.code}`);
console.log("still there:", ["draft.txt", "report.txt"].filter((name) => existsSync(join(root, name))).join(", "));
holdfast.close();
