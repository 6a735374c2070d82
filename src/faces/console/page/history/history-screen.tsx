import { Failure } from "../atoms/callout.tsx";
import { EmptyState } from "../atoms/empty-state.tsx";
import { useListKeys } from "../atoms/list-keys.ts";
import { counted } from "../format/quantity.ts";
import { dayName } from "../format/time.ts";
import { changes, pageSize } from "../state/console-state.ts";
import { nowMs } from "../state/clock.ts";
import { useResource } from "../state/resource.ts";
import { choose, isPhone, route } from "../state/route.ts";
import { ChangeItem } from "./change-item.tsx";
import { ChangeView } from "./change-view.tsx";

/** Lists all changes, newest first, by day; the chosen one is shown with its diffs. */
export function HistoryScreen() {
  const list = useResource(changes);
  const entries = list?.changes ?? [];
  const chosen = route.value.id ?? (isPhone() ? undefined : entries[0]?.id);
  useListKeys(
    entries.map(({ id }) => id),
    chosen,
    (id) => choose({ screen: "history", id }),
  );
  const days = entries.map(({ time }) => dayName(time, nowMs.value));
  return (
    <section
      class="screen two on-history"
      data-depth={route.value.id === undefined ? "list" : "detail"}
      aria-label="History"
    >
      <div class="col list narrow">
        <header class="bar">
          <h2 class="name">History</h2>
          <span class="count">{counted(entries.length, "change")}</span>
        </header>
        <div class="scroll">
          <Failure text={changes.failure.value} />
          {list && entries.length === 0 && (
            <EmptyState icon="history" title="No changes yet">
              Every change an agent makes appears here and can be undone.
            </EmptyState>
          )}
          <ol class="items">
            {entries.map((entry, index) => (
              <>
                {days[index] !== days[index - 1] && (
                  <li class="group" key={`${days[index]}`}>
                    {days[index]}
                  </li>
                )}
                <ChangeItem key={entry.id} change={entry} isChosen={entry.id === chosen} />
              </>
            ))}
          </ol>
          {list?.cursor !== undefined && (
            <button class="expand" type="button" onClick={() => (pageSize.value *= 2)}>
              Show earlier changes
            </button>
          )}
        </div>
      </div>
      {chosen !== undefined && <ChangeView key={chosen} id={chosen} />}
    </section>
  );
}
