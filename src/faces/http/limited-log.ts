import { LIMITS } from "../../base/limits.ts";
import type { RequestLog } from "./face.ts";

type Logged = Parameters<RequestLog>[0];

/**
 * Passes at most `LIMITS.httpLogged` events of each kind per minute: nobody fills a disk by being refused, or hides a
 * failure that way. The first event of a later minute says how many were left out.
 */
export function limitedLog(log: RequestLog, nowMs: () => number = Date.now): RequestLog {
  const counts: Record<Logged["event"], Count> = {
    refused: { minute: 0, passed: 0, omitted: 0 },
    failed: { minute: 0, passed: 0, omitted: 0 },
  };
  return function limited(event) {
    const count = counts[event.event];
    const minute = Math.floor(nowMs() / MINUTE_MS);
    if (minute !== count.minute) Object.assign(count, { minute, passed: 0 });
    if (count.passed >= LIMITS.httpLogged) return void count.omitted++;
    count.passed++;
    log(count.omitted === 0 ? event : { ...event, omitted: count.omitted });
    count.omitted = 0;
  };
}

interface Count {
  minute: number;
  passed: number;
  omitted: number;
}

const MINUTE_MS = 60_000;
