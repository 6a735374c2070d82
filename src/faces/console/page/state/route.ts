import { signal } from "@preact/signals";
import { hashOf, type Route, routeOf } from "./route-of.ts";

export const route = signal<Route>(routeOf(location.hash));

export function followAddress(): void {
  addEventListener("hashchange", () => {
    route.value = routeOf(location.hash);
    if (isPhone()) scrollTo(0, 0);
  });
}

/** Opens a screen or something on it; the browser's Back leads back. */
export const open = (to: Route): void => void (location.hash = hashOf(to));

/** Chooses something on the screen that is shown: the address says it, but Back does not stop at every row. */
export function choose(to: Route): void {
  history.replaceState(null, "", hashOf(to));
  route.value = to;
}

const narrow = matchMedia("(max-width: 720px)");
const phone = signal(narrow.matches);
narrow.addEventListener("change", () => void (phone.value = narrow.matches));

/** On a phone a list and what is chosen on it are two pages. */
export const isPhone = (): boolean => phone.value;
