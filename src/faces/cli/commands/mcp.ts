import { createApp } from "../../../app.ts";
import { serveMcp } from "../../mcp/stdio.ts";
import type { Settings } from "../flags.ts";
import { warn } from "../terminal.ts";

/** Serves MCP on stdin and stdout. Directories may stand without a flag. */
export async function mcp(settings: Settings): Promise<number> {
  const app = createApp({ ...settings, roots: settings.rootsWith(settings.words), warn });
  await serveMcp(app, warn);
  app.close();
  // A read that is under way would keep the process for as long as the disk takes; nobody waits for it any more.
  return process.exit(0);
}
