import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";
import { LIMITS } from "../../base/limits.ts";

interface StoredEvent {
  readonly id: string;
  readonly stream: string;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
}

/**
 * Keeps the last events of one session, so that a client that lost its connection gets what it missed. Drops the
 * oldest beyond `LIMITS.httpEvents` and `LIMITS.httpEventBytes`: a slow client fills no memory.
 */
export function createEventStore(): EventStore {
  const events: StoredEvent[] = [];
  let bytes = 0;
  let number = 0;
  const find = (id: string): number => events.findIndex((event) => event.id === id);
  return {
    async storeEvent(stream, message) {
      const event = { id: `${++number}`, stream, message, bytes: JSON.stringify(message).length };
      events.push(event);
      bytes += event.bytes;
      while (events.length > LIMITS.httpEvents || (bytes > LIMITS.httpEventBytes && events.length > 1))
        bytes -= events.shift()?.bytes ?? 0;
      return event.id;
    },
    getStreamIdForEventId: async (id) => events[find(id)]?.stream,
    async replayEventsAfter(id, { send }) {
      const position = find(id);
      const { stream = "" } = events[position] ?? {};
      // The first event of a stream only tells its id, and is empty.
      const missed = events
        .slice(position + 1)
        .filter((event) => event.stream === stream && "jsonrpc" in event.message);
      for (const event of missed) await send(event.id, event.message);
      return stream;
    },
  };
}
