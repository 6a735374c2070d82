import { LIMITS } from "../base/limits.ts";
import type { Act } from "../base/verdicts.ts";

/** Something was done that the rules allow, and want told. */
export interface Notice {
  readonly tool: string;
  readonly session: string;
  /** A path, or the tool by which something beyond the files was done. */
  readonly done: readonly { readonly act: Act; readonly path: string }[];
  readonly reasons: readonly string[];
}

/** Whoever passes notices on to people: a log line, a message of the protocol. Must not throw or wait. */
export type NoticeSink = (notice: Notice) => void;

/** A notice as one line. */
export function noticeLine({ tool, done, reasons }: Notice): string {
  const most = LIMITS.noticeDeeds;
  const shown = done.slice(0, most).map(({ act, path }) => `${act} ${JSON.stringify(path)}`);
  const more = done.length > most ? [`and ${done.length - most} more`] : [];
  return `${tool}: ${[...shown, ...more].join(", ")} (${reasons.join("; ")})`;
}
