import type { ChannelName, Verdict } from "../../base/verdicts.ts";
import type { DecidedRateLimit } from "./rate-limits.ts";

/** Says what may happen, and why. */
export interface Decision {
  readonly verdict: Verdict;
  readonly reasons: readonly string[];
  /** Lists where the deciding rules are written; absent where none decided. */
  readonly origins?: readonly string[];
  /** Is true where a template or a built-in rule decided, and no rule that somebody wrote. */
  readonly isByDefault?: boolean;
  /** Lists the limits that the act counts towards once it is done. */
  readonly rates?: readonly DecidedRateLimit[];
  /** Says how long the refusal lasts, where only a used-up limit is the reason. */
  readonly passesInMs?: number;
  /** Lists the channels that may answer; anybody may when absent. */
  readonly channels?: readonly ChannelName[];
}
