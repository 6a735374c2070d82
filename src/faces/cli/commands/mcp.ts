import { createApp } from "../../../app.ts";
import { serveMcp } from "../../mcp/stdio.ts";
import type { Settings } from "../flags.ts";
import { warn } from "../terminal.ts";

/** Serves MCP on stdin and stdout. Directories may stand without a flag. */
export async function mcp({ roots, words, ...settings }: Settings): Promise<number> {
  const app = createApp({ ...settings, roots: [...roots, ...words], warn });
  for (const { given, reason } of app.skipped) warn(`Skipped the root ${JSON.stringify(given)}: ${reason}`);
  await serveMcp(app, warn);
  app.close();
  return process.exit(0);
}
