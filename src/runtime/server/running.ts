import * as z from "zod";
import { parseStored } from "../../base/stored-json.ts";
import type { State } from "../../storage/state.ts";

/** Says where the server of the user runs. */
export interface RunningServer {
  /** Identifies its process. */
  readonly process: string;
  /** The address for clients; absent until the server is ready. */
  readonly url?: string | undefined;
  /** Signs the links that log people in. */
  readonly key: string;
  readonly startedMs: number;
}

/** Holds the place of the one server of a user. */
export interface ServerRegistry {
  /** Returns the server that runs now. */
  find(): RunningServer | undefined;
  /** Takes the place. Returns the server that has it already, or undefined where it is ours now. */
  claim(server: Omit<RunningServer, "process">): Promise<RunningServer | undefined>;
  /** Publishes the address of our own server. */
  announce(url: string): void;
  /** Gives the place back, if it is ours. */
  release(): Promise<void>;
}

export function createServerRegistry(state: State): ServerRegistry {
  const read = (): RunningServer | undefined => parseStored(stored, state.read(FILE));
  const find = (): RunningServer | undefined => {
    const server = read();
    // One in another container cannot be reached from here, so it does not count.
    return server && !state.hasExited(server.process, true) ? server : undefined;
  };
  const write = (server: RunningServer): void => state.write(FILE, JSON.stringify(server));
  return {
    find,
    claim: (server) =>
      state.locked(() => {
        const other = find();
        if (!other) write({ ...server, process: state.self });
        return other;
      }),
    announce(url) {
      const own = read();
      if (own?.process === state.self) write({ ...own, url });
    },
    release: () => state.locked(() => void (read()?.process === state.self && state.remove(FILE))),
  };
}

/**
 * Returns the address of a question in the console. It is no login: only a browser in which a person has logged in can
 * answer there, so that an agent gains nothing by knowing it.
 */
export const consoleLinkOf = (url: string, question: string): string =>
  `${url}/console#/waiting/${encodeURIComponent(question)}`;

const FILE = "server.json";

const stored = z.object({
  process: z.string(),
  url: z.string().optional(),
  key: z.string().min(1),
  startedMs: z.number(),
});
