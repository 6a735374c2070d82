import { mergeSettings } from "../../../app/merged-settings.ts";
import { openServerState } from "../../../app/server-state.ts";
import { OWN_ACCOUNT } from "../../../runtime/server/tokens.ts";
import type { CliSettings } from "../flags.ts";
import { print } from "../terminal.ts";
import { wrongVerb } from "../wrong-verb.ts";

/** Runs `holdfast token [rotate] [<account>]`: prints the token that clients of the server send. */
export async function token(settings: CliSettings): Promise<number> {
  const [first, ...others] = settings.words;
  const isRotation = first === "rotate";
  const [account = OWN_ACCOUNT, ...extra] = isRotation ? others : settings.words;
  if (extra.length > 0) return wrongVerb("token", first);
  const { tokens } = openServerState(await mergeSettings(settings, [], "."));
  const value = await (isRotation ? tokens.rotate(account) : tokens.of(account));
  print(settings.json ? JSON.stringify({ account, token: value }) : value);
  return 0;
}
