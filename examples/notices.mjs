// Notices: reports of changes that the rules allow with `notify`. Run: node examples/notices.mjs
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createHoldfast } from "holdfast";

const root = mkdtempSync(join(tmpdir(), "notices-"));
writeFileSync(join(root, "notes.txt"), "one\n");

/** @type {import("holdfast").NoticeSink} */
const notice = ({ tool, done, reasons }) => {
  for (const { act, path } of done) console.log(`told: ${tool}, ${act} ${basename(path)} (${reasons.join("; ")})`);
};

const holdfast = createHoldfast({
  roots: [root],
  policy: { rules: [{ act: "read", path: "notes.txt", decide: "notify", reason: "the diary" }] },
  onNotice: notice,
});
await holdfast.call("read", { path: "notes.txt" });
holdfast.close();
