import type { ChangeEntry } from "../../contract.ts";
import { Button } from "../atoms/button.tsx";
import { Failure } from "../atoms/callout.tsx";
import { EmptyState } from "../atoms/empty-state.tsx";
import { useListKeys } from "../atoms/list-keys.ts";
import { counted } from "../format/quantity.ts";
import { dayName } from "../format/time.ts";
import { useActions } from "../keys/actions.ts";
import { changes, pageSize } from "../state/console-state.ts";
import { nowMs } from "../state/clock.ts";
import { useResource } from "../state/resource.ts";
import { choose, isPhone, route } from "../state/route.ts";
import { ChangeItem } from "./change-item.tsx";
import { ChangeView } from "./change-view.tsx";
import { NetView } from "./net-view.tsx";
import { clearPicks, compare, compared, picked, togglePick } from "./picked.ts";

/** Lists all changes, newest first, by day; the chosen one is shown with its diffs. */
export function HistoryScreen() {
  const list = useResource(changes);
  const entries = list?.changes ?? [];
  const several = compared.value;
  const chosen = several.at(-1) ?? route.value.id ?? (isPhone() ? undefined : entries[0]?.id);
  useListKeys(
    entries.map(({ id }) => id),
    chosen,
    (id) => choose({ screen: "history", id }),
  );
  useActions("screen", {
    ...(chosen !== undefined && !isPhone() && { pick: () => togglePick(chosen) }),
    ...(picked.value.length > 0 && { back: clearPicks }),
  });
  return (
    <section
      class="screen two on-history"
      data-depth={route.value.id === undefined ? "list" : "detail"}
      aria-label="History"
    >
      <div class="col list narrow">
        <header class="bar">
          <h2 class="name">History</h2>
          {picked.value.length > 0 ? (
            <Picks />
          ) : (
            <span class="count">
              {entries.length === 0
                ? ""
                : list?.cursor === undefined
                  ? counted(entries.length, "change")
                  : `the newest ${entries.length}`}
            </span>
          )}
        </header>
        <div class="scroll">
          <Failure text={changes.failure.value} />
          {list && entries.length === 0 && (
            <EmptyState icon="history" title="No changes yet">
              Every change an agent makes appears here and can be undone.
            </EmptyState>
          )}
          <Changes entries={entries} chosen={chosen} />
          {list?.cursor !== undefined && (
            <button class="expand" type="button" onClick={() => (pageSize.value *= 2)}>
              Show earlier changes
            </button>
          )}
        </div>
      </div>
      {several.length > 0 && <NetView ids={several} />}
      {several.length === 0 && chosen !== undefined && <ChangeView key={chosen} id={chosen} />}
    </section>
  );
}

/** Says how many changes are picked, and what can be done with them. */
const Picks = () => (
  <>
    <span class="count">{picked.value.length} picked</span>
    <span class="grow" />
    <Button
      kind="small"
      disabled={picked.value.length < 2 ? "Pick another change to compare it with" : compared.value.length > 0}
      onPress={compare}
    >
      Compare
    </Button>
    <Button kind="small" onPress={clearPicks}>
      Clear
    </Button>
  </>
);

interface ChangesProps {
  readonly entries: readonly ChangeEntry[];
  readonly chosen: string | undefined;
}

/** Lists changes below the names of their days. */
function Changes({ entries, chosen }: ChangesProps) {
  const days = entries.map(({ time }) => dayName(time, nowMs.value));
  return (
    <ol class={picked.value.length > 0 ? "items picking" : "items"}>
      {entries.map((entry, index) => (
        <>
          {days[index] !== days[index - 1] && (
            <li class="group" key={`${days[index]}`}>
              {days[index]}
            </li>
          )}
          <ChangeItem
            key={entry.id}
            change={entry}
            isChosen={entry.id === chosen}
            isPicked={picked.value.includes(entry.id)}
          />
        </>
      ))}
    </ol>
  );
}
