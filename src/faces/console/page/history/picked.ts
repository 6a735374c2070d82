import { computed, signal } from "@preact/signals";
import { choose, route } from "../state/route.ts";

/** Separates the changes of an address such as "#/change/c-81f2,c-81e7", which shows what they sum up to. */
const SEPARATOR = ",";

/** The changes that the address compares; none if it names one change or nothing. */
export const compared = computed<readonly string[]>(() => {
  const { screen, id = "" } = route.value;
  return screen === "history" && id.includes(SEPARATOR) ? id.split(SEPARATOR) : [];
});

/** The changes that the person picked, in the order of the picks. */
export const picked = signal<readonly string[]>(compared.peek());

/** Picks a change, or lets go of it. Two or more are compared at once. */
export function togglePick(id: string): void {
  const before = picked.peek();
  picked.value = before.includes(id) ? before.filter((each) => each !== id) : [...before, id];
  if (picked.value.length > 1) compare();
  else choose({ screen: "history", id });
}

export const compare = (): void => choose({ screen: "history", id: picked.peek().join(SEPARATOR) });

/** Lets go of all picks, and shows the last of them. */
export function clearPicks(): void {
  const last = picked.peek().at(-1);
  picked.value = [];
  choose({ screen: "history", ...(last !== undefined && { id: last }) });
}
