import { constants } from "node:os";
import { mergeSettings } from "../../../app/merged-settings.ts";
import { openServerState } from "../../../app/server-state.ts";
import { Fault } from "../../../base/errors.ts";
import { OWN_ACCOUNT } from "../../../runtime/server/tokens.ts";
import { bridge } from "../../http/bridge.ts";
import { createWire } from "../../mcp/wire.ts";
import type { CliSettings } from "../flags.ts";

/** Runs `holdfast mcp --connect <url>`: connects a client on standard input and output to a server. */
export async function connect(settings: CliSettings, url: URL): Promise<number> {
  const token = process.env["HOLDFAST_TOKEN"] ?? (await ownToken(settings, url));
  let code = 0;
  await new Promise<void>((resolve) => {
    const wire = createWire(process.stdin, process.stdout, () => void bridged.close().then(resolve));
    const bridged = bridge(wire, { url, token });
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.once(signal, () => {
        code = 128 + constants.signals[signal];
        void wire.close();
      });
    void wire.start();
  });
  // Exits explicitly, because a pending read would keep the process alive and nobody waits for it.
  return process.exit(code);
}

/** Returns the token of the state for the user's own server. No other server may learn it. */
async function ownToken(settings: CliSettings, url: URL): Promise<string> {
  const { registry, tokens } = openServerState(await mergeSettings(settings, [], "."));
  const server = registry.find();
  if (server?.url !== undefined && new URL(server.url).origin === url.origin) return tokens.of(OWN_ACCOUNT);
  throw new Fault(
    "invalid_input",
    `Cannot connect to ${url.origin}: no server of yours runs there; start it with holdfast up, ` +
      "or put its token into the variable HOLDFAST_TOKEN",
  );
}
