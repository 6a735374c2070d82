import type { JSONRPCMessage, Server } from "@modelcontextprotocol/server";
import { LIMITS } from "../../base/limits.ts";
import type { Outcome } from "../../runtime/pipeline/outcome.ts";
import type { Files } from "../../runtime/pipeline/surface.ts";
import { pathOf, succeeded } from "./resources.ts";

/** Which resources a client wants to hear of. Behind each is a watch, begun, heard and ended like by any other caller. */
export interface Subscriptions {
  /** For the revisions with requests for it. Once it resolves, what happens is told. */
  subscribe(uri: string): Promise<void>;
  unsubscribe(uri: string): Promise<void>;
  /** For the revision with one stream for everything: looks at each message before the SDK, and lets it pass or not. */
  mayPass(message: JSONRPCMessage): boolean | Promise<boolean>;
}

/** Answers the requests of the revisions that have them. */
export function serveSubscriptions(server: Server, { subscribe, unsubscribe }: Subscriptions): void {
  server.setRequestHandler("resources/subscribe", async ({ params }) => {
    await subscribe(params.uri);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", async ({ params }) => {
    await unsubscribe(params.uri);
    return {};
  });
}

/** Who wants to hear of a resource: a stream by the id of its request, or the one subscriber that older revisions know. */
type Subscriber = string | number;

const SINGLE_SUBSCRIBER = "the client";

export function createSubscriptions(files: Files, server: () => Server | undefined): Subscriptions {
  // A client that is gone is told nothing; the session ends with it.
  const { add, remove } = createResourceWatches(files, (uri) =>
    server()
      ?.sendResourceUpdated({ uri })
      .catch(() => {}),
  );
  const streams = new Map<Subscriber, { readonly uris: readonly string[]; isOver: boolean }>();

  /** The stream is acknowledged once its watches are ready. What cannot be watched is never told of. */
  async function open(id: Subscriber, uris: readonly string[]): Promise<boolean> {
    const stream = { uris, isOver: false };
    streams.set(id, stream);
    await Promise.allSettled(uris.map((uri) => add(uri, id)));
    return !stream.isOver;
  }

  function close(id: Subscriber): void {
    const stream = streams.get(id);
    if (!stream) return;
    stream.isOver = true;
    streams.delete(id);
    for (const uri of stream.uris) void remove(uri, id);
  }

  return {
    subscribe: (uri) => add(uri, SINGLE_SUBSCRIBER),
    unsubscribe: (uri) => remove(uri, SINGLE_SUBSCRIBER),
    mayPass(message) {
      if (!("method" in message)) return true;
      if (message.method === "subscriptions/listen" && "id" in message) return open(message.id, urisIn(message.params));
      if (message.method === "notifications/cancelled") close(message.params?.["requestId"] as Subscriber);
      return true;
    },
  };
}

/** The watches behind resources: one for each, however many want to hear of it. */
interface ResourceWatches {
  add(uri: string, subscriber: Subscriber): Promise<void>;
  remove(uri: string, listener: Subscriber): Promise<void>;
}

function createResourceWatches(files: Files, tell: (uri: string) => Promise<void> | undefined): ResourceWatches {
  const watches = new Map<string, ResourceWatch>();
  const ask = (input: object): Promise<Outcome> => files.ask({ tool: "watch", input, signal: { aborted: false } });

  async function begin(uri: string): Promise<string> {
    const { data } = succeeded(await ask({ path: pathOf(uri), recursive: false }));
    const id = String(data["watch_id"]);
    void pump(uri, id);
    return id;
  }

  /** Tells of a resource for as long as its watch lives. */
  async function pump(uri: string, id: string): Promise<void> {
    for (;;) {
      const { isError, data } = await ask({ watch_id: id, wait_ms: LIMITS.watchWaitMsMost });
      if (isError) return;
      const { events, overflow } = data as { readonly events: readonly unknown[]; readonly overflow: boolean };
      if (events.length > 0 || overflow) await tell(uri);
    }
  }

  return {
    async add(uri, listener) {
      const known = watches.get(uri) ?? { subscribers: new Set(), watchId: begin(uri) };
      watches.set(uri, known);
      known.subscribers.add(listener);
      await known.watchId.catch((error: unknown) => {
        watches.delete(uri);
        throw error;
      });
    },
    async remove(uri, listener) {
      const known = watches.get(uri);
      if (!known?.subscribers.delete(listener) || known.subscribers.size > 0) return;
      watches.delete(uri);
      await known.watchId.then((id) => ask({ watch_id: id, cancel: true })).catch(() => {});
    },
  };
}

interface ResourceWatch {
  readonly subscribers: Set<Subscriber>;
  /** The id of the watch, once it is ready. */
  readonly watchId: Promise<string>;
}

/** Whatever else a request holds is the SDK's to judge. */
function urisIn(params: unknown): readonly string[] {
  const { notifications } = (params ?? {}) as { readonly notifications?: { readonly resourceSubscriptions?: unknown } };
  const uris = notifications?.resourceSubscriptions;
  return Array.isArray(uris) ? [...new Set(uris.filter((uri) => typeof uri === "string"))] : [];
}
