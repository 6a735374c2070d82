import { type ServerState } from "../../../app/server-state.ts";
import { LIMITS } from "../../../base/limits.ts";
import type { RunningServer } from "../../../runtime/server/running.ts";
import { createLoginPath } from "../../http/login-code.ts";
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

/** Makes a link that logs in whoever opens it first. */
export const loginLinkOf = ({ url, key }: Pick<ReadyRegistration, "url" | "key">): string => url + createLoginPath(key);
