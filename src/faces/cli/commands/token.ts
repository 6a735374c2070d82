import { mergeSettings } from "../../../app/merged-settings.ts";
import { openServerState } from "../../../app/server-state.ts";
import { Fault } from "../../../base/errors.ts";
import { didYouMean, quotedInput } from "../../../text/did-you-mean.ts";
import { OWN_ACCOUNT } from "../../../runtime/server/tokens.ts";
import type { CliSettings } from "../flags.ts";
import { print, warn } from "../terminal.ts";
import { wrongVerb } from "../wrong-verb.ts";

/** Runs `holdfast token [rotate] [<account>]`: prints the token that clients of the server send. */
export async function token(settings: CliSettings): Promise<number> {
  const [first, ...others] = settings.words;
  const isRotation = first === "rotate";
  const [account = OWN_ACCOUNT, ...extra] = isRotation ? others : settings.words;
  if (extra.length > 0) return wrongVerb("token", first);
  const options = await mergeSettings(settings, [], ".");
  const { tokens } = openServerState(options);
  if (!tokens.has(account)) requireAccount(account, Object.keys(options.loaded?.config.server?.accounts ?? {}));
  const value = await (isRotation ? tokens.rotate(account) : tokens.of(account));
  if (isRotation) warn("Clients with the old token are refused from now on; those of holdfast mcp --connect go on");
  print(settings.json ? JSON.stringify({ account, token: value }) : value);
  return 0;
}

/** Refuses a name for which the server would accept no token. */
function requireAccount(name: string, configured: readonly string[]): void {
  const names = [OWN_ACCOUNT, ...configured];
  if (names.includes(name)) return;
  const advice = didYouMean(name, names, 'add it to "server.accounts" of the configuration');
  throw new Fault("invalid_input", `Cannot find the account ${quotedInput(name)}: ${advice}`);
}
