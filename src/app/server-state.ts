import { createTokens, type Tokens } from "../runtime/server/tokens.ts";
import { createServerRegistry, type ServerRegistry } from "../runtime/server/running.ts";
import { requireKnownFormat } from "../storage/local/state/format.ts";
import { createState } from "../storage/local/state/state.ts";
import { homeOf } from "./directories.ts";
import type { Options } from "./options.ts";

/** Holds what the server of a user keeps, for the server and for the command line. */
export interface ServerState {
  /** The state directory. */
  readonly home: string;
  readonly tokens: Tokens;
  readonly registry: ServerRegistry;
}

/** Opens it. Touches nothing before the first use. */
export function openServerState(options: Options): ServerState {
  const home = homeOf(options);
  requireKnownFormat(home);
  const state = createState(home, options.durability);
  return { home, tokens: createTokens(state), registry: createServerRegistry(state) };
}
