import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import type { WireRequest } from "./request.ts";
import type { Wire } from "./wire.ts";

/** Tells a client what it did not ask for, as far as it wants to hear of it: everything, until it says otherwise. */
export interface Notifier extends Pick<WireRequest, "notify" | "log"> {
  /** Notes what a message wishes, and passes it on: whoever answers it judges it. */
  observe(message: JSONRPCMessage): JSONRPCMessage;
}

/** Log messages go only to clients that were told of them. */
export function createNotifier(wire: Wire, hasLog: boolean): Notifier {
  let least = 0;
  return {
    notify: (notification) => wire.send({ jsonrpc: "2.0", ...notification }),
    observe(message) {
      if ("method" in message && message.method === "logging/setLevel")
        least = Math.max(0, LEVELS.indexOf(message.params?.["level"]));
      return message;
    },
    log(level, data, logger) {
      if (hasLog && LEVELS.indexOf(level) >= least)
        wire.sendSoon({ jsonrpc: "2.0", method: "notifications/message", params: { level, logger, data } });
    },
  };
}

/** The least important first. */
const LEVELS: readonly unknown[] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
