/** Limits how many acts may happen within a sliding window. */
export interface RateLimit {
  /** Identifies the limit, also after a reload of the rules. */
  readonly key: string;
  readonly max: number;
  readonly windowMs: number;
}

/** A limit that was part of a decision. */
export interface DecidedRateLimit extends RateLimit {
  /** Is true if the limit was used up already when the decision was made. */
  readonly wasExceeded: boolean;
}

/** Counts recent acts for limits. A session has one, which outlives reloads of the rules. */
export interface RateCounters {
  isExceeded(rate: RateLimit): boolean;
  /** Returns how long it stays exceeded if nothing more happens; 0 where it is not. */
  exceededMs(rate: RateLimit): number;
  /** Counts one act. Returns a function that takes it back if it did not happen after all. */
  count(rate: RateLimit): () => void;
}

export function createRateCounters(nowMs: () => number = Date.now): RateCounters {
  const times = new Map<string, number[]>();
  const recent = ({ key, windowMs }: RateLimit): number[] => {
    const since = nowMs() - windowMs;
    const kept = (times.get(key) ?? []).filter((time) => time > since);
    times.set(key, kept);
    return kept;
  };
  return {
    isExceeded: (rate) => recent(rate).length >= rate.max,
    exceededMs(rate) {
      const oldest = recent(rate).at(-rate.max);
      return oldest === undefined ? 0 : oldest + rate.windowMs - nowMs();
    },
    count(rate) {
      const kept = recent(rate);
      // Only the last `max` times matter.
      const oldest = kept.length >= rate.max ? kept.splice(0, 1) : [];
      const time = nowMs();
      kept.push(time);
      return () => {
        const now = recent(rate);
        const at = now.lastIndexOf(time);
        if (at >= 0) now.splice(at, 1);
        now.unshift(...oldest);
      };
    },
  };
}
