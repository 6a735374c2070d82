import { startAt, startsFrom } from "./start.ts";
import type { Query, Start, Tell } from "./search.ts";
import { addedUp, countUnasked, NONE_UNASKED, type Unasked } from "./hidden-by-policy.ts";
import type { View } from "../view.ts";

/** Searches everything that a path means, until enough was told. Gives what it passed over for want of a yes. */
export async function searchAll(view: View, path: string | undefined, query: Query, tell: Tell): Promise<Unasked> {
  let goesOn = true;
  let unasked = NONE_UNASKED;
  const told: Tell = (found) => (goesOn = tell(found));
  for (const start of startsFrom(view, path)) {
    if (!goesOn) break;
    unasked = addedUp(unasked, await searchAndCount(view, await startAt(view, start), query, told));
  }
  return unasked;
}

/** Both at once: there is time to count while ripgrep searches. A call that ends leaves neither behind. */
async function searchAndCount(view: View, start: Start, query: Query, tell: Tell): Promise<Unasked> {
  const both = [view.search(start, query, tell), countUnasked(view, start, query)] as const;
  const [searched, counted] = await Promise.allSettled(both);
  if (searched.status === "rejected") throw searched.reason;
  if (counted.status === "rejected") throw counted.reason;
  return counted.value;
}
