import { LIMITS } from "../../base/limits.ts";
import type { RequestLog } from "./face.ts";

/** Passes at most `LIMITS.httpLogged` events per minute: nobody fills a disk by being refused. */
export function limitedLog(log: RequestLog, nowMs: () => number = Date.now): RequestLog {
  let minute = 0;
  let count = 0;
  return function limited(event) {
    const now = Math.floor(nowMs() / MINUTE_MS);
    count = now === minute ? count + 1 : 1;
    minute = now;
    if (count <= LIMITS.httpLogged) log(event);
  };
}

const MINUTE_MS = 60_000;
