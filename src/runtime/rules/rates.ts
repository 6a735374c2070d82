/** So many in a while, and no more without another decision. */
export interface Rate {
  /** Tells one limit from the others, also after the rules were loaded anew. */
  readonly key: string;
  readonly max: number;
  readonly windowMs: number;
}

/** A limit that had a say in a decision. */
export interface DecidedRate extends Rate {
  /** The limit was used up already when the decision was made. */
  readonly wasExceeded: boolean;
}

/** What has happened lately, for limits. One per session; it outlives the rules. */
export interface Rates {
  isExceeded(rate: Rate): boolean;
  /** How long it stays exceeded, if nothing more happens; 0 where it is not. */
  exceededMs(rate: Rate): number;
  /** What it returns takes it back: it did not happen after all. */
  count(rate: Rate): () => void;
}

export function createRates(nowMs: () => number = Date.now): Rates {
  const times = new Map<string, number[]>();
  const recent = ({ key, windowMs }: Rate): number[] => {
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
      // More than the limit needs no telling apart.
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
