import { mergeSettings } from "../../../app/merged-settings.ts";
import { openServerState } from "../../../app/server-state.ts";
import { pidOf } from "../../../base/process-identity.ts";
import { isoOf } from "../../../base/time.ts";
import { MCP_PATH } from "../../http/paths.ts";
import type { CliSettings } from "../flags.ts";
import { loginLinkOf, readyServer } from "../server/running-server.ts";
import { localTime, print } from "../terminal.ts";

/** Runs `holdfast status`: says where the server runs. The exit code is 1 where none does. */
export async function status(settings: CliSettings): Promise<number> {
  const server = await readyServer(openServerState(await mergeSettings(settings, [], ".")));
  if (!server) {
    print(settings.json ? JSON.stringify({ running: false }) : "No server runs; holdfast up starts one");
    return 1;
  }
  const [url, link, pid] = [server.url + MCP_PATH, loginLinkOf(server), pidOf(server.process)];
  const started = isoOf(server.startedMs);
  if (settings.json) print(JSON.stringify({ running: true, url, console: link, pid, started }));
  else
    print(
      [`Running since ${localTime(started)}, process ${pid}`, `  MCP      ${url}`, `  console  ${link}`].join("\n"),
    );
  if (settings.server.qr && !settings.json) print((await import("../server/qr-code.ts")).qrCodeOf(link));
  return 0;
}
