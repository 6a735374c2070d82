import type { JSONRPCMessage, Server } from "@modelcontextprotocol/server";
import { LIMITS } from "../../base/limits.ts";
import type { Outcome } from "../../runtime/pipeline/outcome.ts";
import type { Files } from "../../runtime/pipeline/surface.ts";
import { pathOf, requireSuccess } from "./resources.ts";

/** Manages a client's subscriptions to resources. Each resource has a watch, made by the same calls as any other. */
export interface Subscriptions {
  /** Serves the revisions with subscribe requests. All events after it resolves are notified. */
  subscribe(uri: string): Promise<void>;
  unsubscribe(uri: string): Promise<void>;
  /**
   * Watches the resources of a stream. Resolves once the watches are ready, when the stream may be acknowledged; false
   * where it was closed meanwhile. Resources that cannot be watched are ignored.
   */
  open(id: string | number, params: unknown): Promise<boolean>;
  close(id: string | number): void;
  /** Serves the revision with one stream for everything: sees each message before the SDK does. False drops it. */
  mayPass(message: JSONRPCMessage): boolean | Promise<boolean>;
}

/** Answers the subscribe requests of the revisions that have them. */
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

/** Identifies a stream by the id of its request, or is the only subscriber that older revisions have. */
type Subscriber = string | number;

const SINGLE_SUBSCRIBER = "the client";

/** Notifies a client of a resource. Sending fails once it has disconnected, which is fine: the session ends with it. */
export const updatesBy =
  (server: () => Server | undefined): NotifyOfResource =>
  (uri) =>
    server()
      ?.sendResourceUpdated({ uri })
      .catch(() => {});

type NotifyOfResource = (uri: string) => Promise<void> | void;

export function createSubscriptions(files: Files, notify: NotifyOfResource): Subscriptions {
  const { add, remove } = createResourceWatches(files, notify);
  const streams = new Map<Subscriber, { readonly uris: readonly string[]; isOver: boolean }>();

  async function open(id: Subscriber, params: unknown): Promise<boolean> {
    const uris = urisIn(params);
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
    open,
    close,
    mayPass(message) {
      if (!("method" in message)) return true;
      if (message.method === "subscriptions/listen" && "id" in message) return open(message.id, message.params);
      if (message.method === "notifications/cancelled") close(message.params?.["requestId"] as Subscriber);
      return true;
    },
  };
}

/** Keeps one watch per resource, shared by all its subscribers. */
interface ResourceWatches {
  add(uri: string, subscriber: Subscriber): Promise<void>;
  remove(uri: string, subscriber: Subscriber): Promise<void>;
}

function createResourceWatches(files: Files, notify: NotifyOfResource): ResourceWatches {
  const watches = new Map<string, ResourceWatch>();
  const ask = (input: object): Promise<Outcome> => files.call({ tool: "watch", input, signal: { aborted: false } });

  async function begin(uri: string): Promise<string> {
    const { data } = requireSuccess(await ask({ path: pathOf(uri), recursive: false }));
    const id = String(data["watch_id"]);
    void pump(uri, id);
    return id;
  }

  /** Sends notifications for a resource until its watch ends. */
  async function pump(uri: string, id: string): Promise<void> {
    for (;;) {
      const { isError, data } = await ask({ watch_id: id, wait_ms: LIMITS.watchWaitMsMost });
      if (isError) return;
      const { events, overflow } = data as { readonly events: readonly unknown[]; readonly overflow: boolean };
      if (events.length > 0 || overflow) await notify(uri);
    }
  }

  return {
    async add(uri, subscriber) {
      const known = watches.get(uri) ?? { subscribers: new Set(), watchId: begin(uri) };
      watches.set(uri, known);
      known.subscribers.add(subscriber);
      await known.watchId.catch((error: unknown) => {
        watches.delete(uri);
        throw error;
      });
    },
    async remove(uri, subscriber) {
      const known = watches.get(uri);
      if (!known?.subscribers.delete(subscriber) || known.subscribers.size > 0) return;
      watches.delete(uri);
      await known.watchId.then((id) => ask({ watch_id: id, cancel: true })).catch(() => {});
    },
  };
}

interface ResourceWatch {
  readonly subscribers: Set<Subscriber>;
  /** Resolves to the id of the watch once it is ready. */
  readonly watchId: Promise<string>;
}

/** Returns the resources of a listen request. The SDK validates the rest. */
function urisIn(params: unknown): readonly string[] {
  const { notifications } = (params ?? {}) as { readonly notifications?: { readonly resourceSubscriptions?: unknown } };
  const uris = notifications?.resourceSubscriptions;
  return Array.isArray(uris) ? [...new Set(uris.filter((uri) => typeof uri === "string"))] : [];
}
