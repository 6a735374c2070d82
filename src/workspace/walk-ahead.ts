import { isFault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import type { Reading, Scout } from "./scout.ts";
import type { Leads, Scouted } from "./scouting.ts";
import type { View } from "./view.ts";
import type { Holders } from "./walk-holders.ts";
import type { Line, Waiting } from "./walk-line.ts";

/** Has directories read beside a walk. It still comes to each of them in its own order, and decides as it would alone. */
export interface Ahead {
  /** Sends for what comes last, while the walk is at some depth. */
  send(depth: number): void;
  /** What is known of a directory; undefined where the walk has to read it itself. */
  known(waiting: Waiting): Scouted | undefined | Promise<Scouted | undefined>;
  end(): void;
}

export function createAhead(view: View, scout: Scout, leads: Leads, holders: Holders, line: Line): Ahead {
  const sent = new Set<Reading>();
  const lend = (waiting: Waiting): void => {
    const { from, entry, way, depth, rules } = waiting;
    if (!from || view.hidesBelow(waiting.place)) return;
    const shared = orNothing(() => holders.opened(from).shared);
    if (shared === undefined) return;
    const back = holders.lend(from);
    const errand = { ...leads, shared, place: from.place, name: entry.name, way, at: depth, recipe: rules.recipe() };
    waiting.reading = scout.send(errand, back);
    sent.add(waiting.reading);
  };
  return {
    send(depth) {
      for (const reading of sent) if (reading.isBack()) sent.delete(reading);
      while (sent.size < LIMITS.scoutErrands && scout.isReady()) {
        const waiting = line.farthest(depth);
        if (!waiting) return;
        lend(waiting);
      }
    },
    known({ reading, way }) {
      if (!reading || (!reading.isBack() && reading.callOff())) return undefined;
      const found = reading.found(view.breathe);
      return found instanceof Promise ? found.then((all) => all.get(way)) : found.get(way);
    },
    end() {
      for (const reading of sent) reading.callOff();
    },
  };
}

function orNothing<T>(attempt: () => T): T | undefined {
  try {
    return attempt();
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
}
