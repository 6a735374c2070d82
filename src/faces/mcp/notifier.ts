import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import type { WireRequest } from "./request.ts";
import type { Wire } from "./wire.ts";

/** Sends notifications to a client, filtered by the log level that it sets. Until it sets one, it gets everything. */
export interface Notifier extends Pick<WireRequest, "notify" | "log"> {
  /** Records the log level that a message sets. Returns the message, which the SDK validates and answers. */
  observe(message: JSONRPCMessage): JSONRPCMessage;
}

/** Sends log messages only if the server has announced the logging capability. */
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

/** Lists the levels by rising severity. */
const LEVELS: readonly unknown[] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
