/** The screens in the order of their keys, 1 to 8; `more` is the fifth tab on a phone. */
export const SCREENS = ["timeline", "waiting", "history", "files", "trash", "jobs", "rules", "health"] as const;
export type Screen = (typeof SCREENS)[number] | "more";

/** A place on the page: the address says the screen and what is chosen on it, so that every choice is a link. */
export interface Route {
  readonly screen: Screen;
  readonly id?: string;
}

/** Reads an address such as "#/change/c-81f2". Anything unknown is the timeline. */
export function routeOf(hash: string): Route {
  const [, word = "", rest] = /^#\/([a-z]+)(?:\/(.+))?$/.exec(hash) ?? [];
  const screen = word === "change" ? "history" : word;
  if (!isScreen(screen)) return { screen: "timeline" };
  const id = rest === undefined ? undefined : decoded(rest);
  return id === undefined ? { screen } : { screen, id };
}

const isScreen = (word: string): word is Screen => word === "more" || SCREENS.some((screen) => screen === word);

/** An address that is cut in the middle of an escape names nothing. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Returns the address of a route. A change of the history is "#/change/<id>". */
export function hashOf({ screen, id }: Route): string {
  if (id === undefined) return `#/${screen}`;
  return `#/${screen === "history" ? "change" : screen}/${encodeURIComponent(id)}`;
}
