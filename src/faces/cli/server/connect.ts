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
  const token = await tokenFor(settings, url);
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

/**
 * Returns how to get the token: from the environment, or for the user's own server from the state, anew for each
 * request, because it may be rotated. No other server may learn it, not even one that takes the port of ours later.
 */
async function tokenFor(settings: CliSettings, url: URL): Promise<() => Promise<string>> {
  const given = process.env["HOLDFAST_TOKEN"];
  if (given !== undefined) return async () => given;
  const { registry, tokens } = openServerState(await mergeSettings(settings, [], "."));
  const token = async (): Promise<string> => {
    const server = registry.find();
    if (server?.url === undefined || new URL(server.url).origin !== url.origin) throw notOurs(url);
    return tokens.of(OWN_ACCOUNT);
  };
  await token();
  return token;
}

const notOurs = ({ origin }: URL): Fault =>
  new Fault(
    "invalid_input",
    `Cannot connect to ${origin}: no server of yours runs there; start it with holdfast up, ` +
      "or put its token into the variable HOLDFAST_TOKEN",
  );
