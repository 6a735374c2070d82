import { useSignal } from "@preact/signals";
import type { TrashEntry } from "../../contract.ts";
import { Button } from "../atoms/button.tsx";
import { Failure } from "../atoms/callout.tsx";
import { Confirm } from "../atoms/confirm.tsx";
import { EmptyState } from "../atoms/empty-state.tsx";
import { focusRow, neighborOf, useListKeys } from "../atoms/list-keys.ts";
import { bytesText, counted } from "../format/quantity.ts";
import { shown } from "../format/shown.ts";
import { useActions } from "../keys/actions.ts";
import { post } from "../state/api.ts";
import { useAttempt } from "../state/attempt.ts";
import { refreshAfter, trash } from "../state/console-state.ts";
import { useResource } from "../state/resource.ts";
import { choose, route } from "../state/route.ts";
import { say } from "../state/toast.ts";
import { RestoreDialog } from "./restore-dialog.tsx";
import { TrashTable } from "./trash-table.tsx";

/** Shows what was deleted and can be brought back. */
export function TrashScreen() {
  const items = useResource(trash)?.items ?? [];
  const asked = useSignal<"purge" | TrashEntry | undefined>(undefined);
  const attempt = useAttempt();
  const ids = items.map(({ id }) => id);
  const chosen = items.find(({ id }) => id === route.value.id) ?? items[0];
  const expired = items.filter((item) => item.expired).length;
  const restore = (item: TrashEntry, to?: string): void =>
    attempt.run(async () => {
      await restored(item, to);
      const next = neighborOf(ids, item.id);
      if (next !== undefined) focusRow(next);
    });
  const start = (item: TrashEntry): void => (item.taken ? void (asked.value = item) : restore(item));
  useListKeys(ids, chosen?.id, (id) => choose({ screen: "trash", id }));
  useActions("screen", chosen ? { restore: () => start(chosen) } : {});
  const close = (): void => void (asked.value = undefined);
  return (
    <section class="screen one on-trash" aria-label="Trash">
      <div class="col list">
        <header class="bar">
          <h2 class="name">Trash</h2>
          <span class="count">{items.length > 0 && `${counted(items.length, "thing")}, ${sizeOf(items)}`}</span>
          <span class="grow" />
          {expired > 0 && (
            <Button kind="small" disabled={attempt.isRunning} onPress={() => (asked.value = "purge")}>
              Remove expired… <span class="count">{expired}</span>
            </Button>
          )}
        </header>
        <Failure text={attempt.failure ?? trash.failure.value} />
        <div class="scroll">
          {trash.value.value && items.length === 0 && (
            <EmptyState icon="trash" title="The trash is empty">
              What an agent deletes is moved here first and can be brought back with one key.
            </EmptyState>
          )}
          {items.length > 0 && (
            <TrashTable items={items} chosen={chosen?.id} isBusy={attempt.isRunning} onRestore={start} />
          )}
        </div>
      </div>
      {asked.value === "purge" && (
        <Confirm
          title="Remove what has expired?"
          action={`Remove ${counted(expired, "thing")} for good`}
          kind="danger"
          onConfirm={() => attempt.run(purge)}
          onClose={close}
        >
          This cannot be taken back.
        </Confirm>
      )}
      {typeof asked.value === "object" && <RestoreDialog item={asked.value} onRestore={restore} onClose={close} />}
    </section>
  );
}

const sizeOf = (items: readonly TrashEntry[]): string => bytesText(items.reduce((sum, { bytes }) => sum + bytes, 0));

async function restored({ id, path }: TrashEntry, to: string | undefined): Promise<void> {
  await post(`/api/trash/${encodeURIComponent(id)}/restore`, to === undefined ? {} : { to });
  say(`Restored ${shown(to ?? path)}.`);
  refreshAfter("trash");
  refreshAfter("changes");
}

async function purge(): Promise<void> {
  await post("/api/trash/purge-expired");
  say("Removed what had expired.");
  refreshAfter("trash");
}
