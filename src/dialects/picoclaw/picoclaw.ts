import type { Dialect } from "../dialect.ts";
import { answerFault } from "./faults.ts";
import { appendFile, editFile, listDir, readFile, writeFile } from "./tools.ts";

/** Offers the file tools of picoclaw. For its `restrict: false`, give "/" as a second root after the workspace. */
export const picoclaw: Dialect = {
  name: "picoclaw",
  tools: [readFile, writeFile, listDir, editFile, appendFile],
  answerFault,
  modes: { file: 0o644, directory: 0o755 },
};
