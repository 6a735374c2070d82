import { type FSWatcher, watch } from "node:fs";
import { join } from "node:path";
import type { App } from "../../../app/app.ts";
import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { LIVE_EVENTS, type LiveEvent } from "../contract.ts";
import type { Endpoint } from "./endpoint.ts";
import { stampsOf } from "./stamps.ts";

/** Tells open pages what changed, by whatever process of the user. */
export interface Events {
  readonly endpoint: Endpoint;
  /** Ends all streams. */
  close(): void;
}

/** Looks at the state while somebody listens: when the system reports a change there, and in any case now and then. */
export function createEvents(app: App): Events {
  const streams = new Set<Stream>();
  let watching: { stop(): void } | undefined;
  let known: Awaited<ReturnType<typeof stampsOf>> | undefined;
  const look = async (): Promise<void> => {
    const now = await stampsOf(app);
    const before = known;
    known = now;
    const changed = before ? LIVE_EVENTS.filter((event) => before[event] !== now[event]) : [];
    for (const stream of streams) stream.report(changed);
  };
  const leave = (stream: Stream): void => {
    stream.end();
    streams.delete(stream);
    if (streams.size > 0) return;
    watching?.stop();
    watching = known = undefined;
  };
  return {
    endpoint: {
      method: "GET",
      path: "/api/events",
      async handle({ signal }) {
        if (streams.size >= LIMITS.consoleStreams) throw tooManyFault();
        known ??= await stampsOf(app);
        const stream = createStream(() => leave(stream));
        if (signal.aborted) return stream.response;
        streams.add(stream);
        watching ??= watchState(app.stateDirectory, look);
        signal.addEventListener("abort", () => leave(stream), { once: true });
        return stream.response;
      },
    },
    close() {
      for (const stream of streams) leave(stream);
    },
  };
}

const tooManyFault = (): Fault =>
  new Fault("busy", "Cannot follow what happens: too many pages are open", { hint: "Close some of them" });

interface Stream {
  readonly response: Response;
  /** Sends what changed once the client takes it. A slow client gets each name once, however often it changed. */
  report(changed: readonly LiveEvent[]): void;
  end(): void;
}

function createStream(left: () => void): Stream {
  const pending = new Set<LiveEvent>();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const send = (text: string): void => controller?.enqueue(new TextEncoder().encode(text));
  const flush = (): void => {
    if ((controller?.desiredSize ?? 0) <= 0 || pending.size === 0) return;
    send([...pending].map((event) => `event: ${event}\ndata: {}\n\n`).join(""));
    pending.clear();
  };
  const beat = setInterval(() => {
    if ((controller?.desiredSize ?? 0) > 0) send(": still here\n\n");
  }, LIMITS.httpKeepAliveMs).unref();
  const body = new ReadableStream<Uint8Array>(
    {
      start(opened) {
        controller = opened;
        send(`retry: ${LIMITS.httpRetryMs}\n\n`);
      },
      pull: flush,
      cancel: left,
    },
    { highWaterMark: STREAM_CHUNKS },
  );
  return {
    response: new Response(body, { headers: STREAM_HEADERS }),
    report(changed) {
      for (const event of changed) pending.add(event);
      flush();
    },
    end() {
      clearInterval(beat);
      const open = controller;
      controller = undefined;
      try {
        open?.close();
      } catch {
        // The client has cancelled it: it is closed already.
      }
    },
  };
}

/** Allows a client to be this many reports behind. */
const STREAM_CHUNKS = 4;

const STREAM_HEADERS = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Resource-Policy": "same-origin",
};

/** Calls `look` soon after the state changed, at most four times a second, and every second in any case. */
function watchState(directory: string, look: () => Promise<void>): { stop(): void } {
  let [timer, isBusy, isStopped]: [NodeJS.Timeout | undefined, boolean, boolean] = [undefined, false, false];
  const lookIn = (ms: number): void => {
    if (isStopped || isBusy) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      isBusy = true;
      // State that cannot be read now is looked at again: the page still shows what it has.
      void look()
        .catch(() => {})
        .finally(() => {
          isBusy = false;
          lookIn(LIMITS.consolePollMs);
        });
    }, ms).unref();
  };
  let soonMs = 0;
  const soon = (): void => {
    if (Date.now() < soonMs) return;
    soonMs = Date.now() + LIMITS.consoleReportMs;
    lookIn(LIMITS.consoleReportMs);
  };
  const watchers = directory === "" ? [] : WATCHED.flatMap((folder) => watcherOf(join(directory, folder), soon));
  lookIn(LIMITS.consolePollMs);
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}

const WATCHED = ["", "approvals", "pending", "changes"];

/** Returns none for a folder that is not there yet: looking every second finds it. */
function watcherOf(folder: string, changed: () => void): readonly FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, changed);
    watcher.on("error", () => watcher.close());
    return [watcher];
  } catch {
    return [];
  }
}
