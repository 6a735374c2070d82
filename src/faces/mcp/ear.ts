import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import type { Asked } from "./request.ts";

/** What a client wants to hear of: everything, until it says otherwise. */
export interface Ear {
  /** Notes a wish; whoever answers the request judges it. */
  learn(message: JSONRPCMessage): void;
  logTo(notify: (notification: object) => unknown): Asked["log"];
}

export function createEar(): Ear {
  let least = 0;
  return {
    learn(message) {
      if (!("method" in message) || message.method !== "logging/setLevel") return;
      least = Math.max(0, LEVELS.indexOf(message.params?.["level"]));
    },
    logTo: (notify) => (level, data, logger) => {
      if (LEVELS.indexOf(level) < least) return;
      return notify({ method: "notifications/message", params: { level, logger, data } });
    },
  };
}

/** The least important first. */
const LEVELS: readonly unknown[] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
