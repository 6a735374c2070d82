import { createApp } from "../../../app/app.ts";
import { loadDialect } from "../../../dialects/load.ts";
import { serveRpc } from "../../rpc/stdio.ts";
import { configured } from "../../../app/configured.ts";
import type { CliSettings } from "../flags.ts";
import { STARTUP_LINES } from "./mcp.ts";
import { usage } from "../terminal.ts";

/** `holdfast rpc <dir>...`: capabilities over JSON-RPC, on standard input and output. */
export async function rpc(settings: CliSettings): Promise<number> {
  // What a variable or a file says is meant for other faces.
  if (settings.setBy("dialect") === "--dialect" && settings.dialectName !== SPOKEN)
    return usage("serve", `this protocol has ${SPOKEN} only`, "holdfast rpc ~/project");
  const options = await configured(settings, settings.words);
  const dialect = await loadDialect(SPOKEN);
  const app = createApp({ ...options, ...STARTUP_LINES, dialect });
  await serveRpc(app, process.stdin, process.stdout);
  app.close();
  return 0;
}

const SPOKEN = "capabilities";
