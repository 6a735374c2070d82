import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import type { TimelineEvent } from "../../contract.ts";

interface ShownEvents {
  readonly events: readonly TimelineEvent[];
  /** Counts newer events that are held back. */
  readonly fresh: number;
  show(): void;
}

/**
 * Holds newer events back while the person reads: the list is scrolled, or the focus or the pointer is in it. Rows that
 * are shown change in place and never move.
 */
export function useFreshEvents(all: readonly TimelineEvent[], list: RefObject<HTMLElement | null>): ShownEvents {
  const first = useSignal<string | undefined>(undefined);
  const newest = all[0]?.id;
  useEffect(() => {
    if (!isRead(list.current) || first.peek() === undefined) first.value = newest;
  }, [newest, list, first]);
  const fresh = Math.max(
    0,
    all.findIndex(({ id }) => id === first.value),
  );
  return { events: all.slice(fresh), fresh, show: () => void (first.value = newest) };
}

function isRead(list: HTMLElement | null): boolean {
  if (!list) return false;
  return list.scrollTop > 0 || list.matches(":hover") || list.contains(document.activeElement);
}
