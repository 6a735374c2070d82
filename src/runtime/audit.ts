import { hash } from "node:crypto";
import { LIMITS } from "../base/limits.ts";

/** Takes whole lines, in order. */
export type Sink = (lines: string) => void;

/** One record per call. `flush` writes what still waits. */
export interface Audit {
  record(event: Readonly<Record<string, unknown>>): void;
  flush(): void;
}

/** Append-only and chained: each line carries the hash of the one before. Written shortly after the answer, not before. */
export function createAudit(sink: Sink): Audit {
  let waiting: Readonly<Record<string, unknown>>[] = [];
  let timer: NodeJS.Timeout | undefined;
  let previous = "";
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const lines = waiting.map((event) => {
      const line = lineOf(event, previous);
      previous = hash("sha256", line, "base64url");
      return `${line}\n`;
    });
    waiting = [];
    if (lines.length > 0) sink(lines.join(""));
  };
  return {
    record(event) {
      waiting.push(event);
      timer ??= setTimeout(flush, LIMITS.auditFlushMs).unref();
    },
    flush,
  };
}

/** What callers hand us may be huge, or have no JSON form at all: then the rest of the record is kept. */
function lineOf(event: Readonly<Record<string, unknown>>, previous: string): string {
  const line = jsonOf({ ...event, previous });
  if (line !== undefined && line.length <= LIMITS.auditChars) return line;
  const input = line === undefined ? "[not JSON]" : `[${line.length} characters]`;
  return JSON.stringify({ ...event, tool: String(event["tool"]).slice(0, LIMITS.shownNameChars), input, previous });
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
