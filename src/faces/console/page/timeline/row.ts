import type { TimelineEvent } from "../../contract.ts";
import type { Route } from "../state/route-of.ts";
import { isPhone } from "../state/route.ts";

export interface RowProps {
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

/** Returns where an event leads: to its change, its job, or to itself. */
export function linkOf({ id, change, job }: TimelineEvent): Route {
  if (change) return { screen: "history", id: change.id };
  return job === undefined ? { screen: "timeline", id } : { screen: "jobs", id: job };
}

/** A click chooses the row on a wide page and follows its link on a phone. */
export function selectOnClick(click: MouseEvent, onChoose: () => void): void {
  if (isPhone() || click.ctrlKey || click.metaKey || click.shiftKey) return;
  click.preventDefault();
  onChoose();
}
