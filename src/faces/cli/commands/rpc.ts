import { createApp } from "../../../app/app.ts";
import { loadDialect } from "../../../dialects/load.ts";
import { serveRpc } from "../../rpc/stdio.ts";
import { mergeSettings } from "../../../app/merged-settings.ts";
import type { CliSettings } from "../flags.ts";
import { STARTUP_LINES } from "./mcp.ts";
import { usage } from "../terminal.ts";

/** Runs `holdfast rpc <dir>...`: serves capabilities over JSON-RPC on standard input and output. */
export async function rpc(settings: CliSettings): Promise<number> {
  // A dialect in a variable or a file is meant for the other faces.
  if (settings.setBy("dialect") === "--dialect" && settings.dialectName !== DIALECT)
    return usage("serve", `JSON-RPC serves the dialect ${DIALECT} only`, "holdfast rpc ~/project");
  const options = await mergeSettings(settings, settings.words);
  const dialect = await loadDialect(DIALECT);
  const app = createApp({ ...options, ...STARTUP_LINES, dialect });
  await serveRpc(app, process.stdin, process.stdout);
  await app.close();
  return 0;
}

const DIALECT = "capabilities";
