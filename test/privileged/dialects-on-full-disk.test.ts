import { dirname } from "node:path";
import { expect, it } from "vitest";
import { runAlone, WITH_OWN_MOUNTS } from "../contracts/run-alone.ts";
import { layout } from "../layout.ts";

const content = "new\n".repeat(2000);
const DISK_FULL =
  /^\{"error":"DiskFull","message":"Cannot [^}]*","recovery":\[\{"action":"check_quota","description":"[^"]*system\.disk_usage/;

const ROWS = [
  { dialect: "capabilities", tool: "filesystem__write", input: { path: "new", content }, says: DISK_FULL },
  { dialect: "capabilities", tool: "filesystem__append", input: { path: "log", content }, says: DISK_FULL },
  { dialect: "capabilities", tool: "system__disk_usage", input: {}, says: /"free_bytes":0,/ },
  { dialect: "picoclaw", tool: "write_file", input: { path: "new", content }, says: /^failed to write file: / },
  { dialect: "fractary", tool: "fractary_file_write", input: { path: "new", content }, says: /"code":"STORAGE_ERROR"/ },
  { dialect: "mcp-filesystem", tool: "write_file", input: { path: "new", content }, says: /^ENOSPC: no space left/ },
];

it("a full disk is told in the words of each dialect, with what to do", () => {
  const orders = { top: dirname(layout([])), calls: ROWS };
  const answers = runAlone("test/privileged/fixtures/dialects-on-full-disk.ts", orders, { through: WITH_OWN_MOUNTS });
  expect(answers).toEqual(ROWS.map(({ says }) => expect.stringMatching(says)));
});
