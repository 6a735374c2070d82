import * as z from "zod";
import { type ServerState } from "../../../app/server-state.ts";
import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import type { RunningServer } from "../../../runtime/server/running.ts";
import { LOGIN_LINK_PATH } from "../../http/paths.ts";
import { setTimeout as pause } from "node:timers/promises";

/** The registration of a server that answers. */
export type ReadyRegistration = RunningServer & { readonly url: string };

/** Returns the server of the user once it is ready; undefined when there is none, or none in time. */
export async function readyServer({ registry }: ServerState, waitMs = 0): Promise<ReadyRegistration | undefined> {
  for (const deadline = Date.now() + waitMs; ; await pause(LIMITS.serverPollMs)) {
    const server = registry.find();
    if (server?.url !== undefined) return { ...server, url: server.url };
    if (Date.now() >= deadline) return undefined;
  }
}

/** Asks a server for a link that logs in. */
export async function loginLinkOf({ url, key }: ReadyRegistration): Promise<string> {
  try {
    const response = await fetch(url + LOGIN_LINK_PATH, {
      headers: { Authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(LIMITS.postMs),
    });
    return linkAnswer.parse(await response.json()).link;
  } catch (error) {
    throw new Fault("io", `Cannot reach the server at ${url}: it does not answer as it should`, { url }, error);
  }
}

const linkAnswer = z.object({ link: z.string() });
