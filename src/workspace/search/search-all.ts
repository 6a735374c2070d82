import { startAt, startsFrom } from "./start.ts";
import type { Query, Start, ReportHits } from "./search.ts";
import { addedUp, countHidden, NOTHING_HIDDEN, type HiddenByPolicy } from "./hidden-by-policy.ts";
import type { View } from "../view.ts";

/** Searches everything that a path means, until enough was told. Gives what it passed over for want of a yes. */
export async function searchAll(
  view: View,
  path: string | undefined,
  query: Query,
  tell: ReportHits,
): Promise<HiddenByPolicy> {
  let goesOn = true;
  let hiddenByPolicy = NOTHING_HIDDEN;
  const told: ReportHits = (found) => (goesOn = tell(found));
  for (const start of startsFrom(view, path)) {
    if (!goesOn) break;
    hiddenByPolicy = addedUp(hiddenByPolicy, await searchAndCount(view, await startAt(view, start), query, told));
  }
  return hiddenByPolicy;
}

/** Both at once: there is time to count while ripgrep searches. A call that ends leaves neither behind. */
async function searchAndCount(view: View, start: Start, query: Query, tell: ReportHits): Promise<HiddenByPolicy> {
  const both = [view.search(start, query, tell), countHidden(view, start, query)] as const;
  const [searched, counted] = await Promise.allSettled(both);
  if (searched.status === "rejected") throw searched.reason;
  if (counted.status === "rejected") throw counted.reason;
  return counted.value;
}
