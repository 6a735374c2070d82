import { signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import type { Action } from "./table.ts";

export type Actions = Readonly<Partial<Record<Action, (key: string) => void>>>;

/** The nearest to the person goes first: something opened on a screen, then the screen, then the shell. */
type Level = "shell" | "screen" | "opened";

const LEVELS: readonly Level[] = ["opened", "screen", "shell"];

const offers = signal<readonly { readonly level: Level; readonly actions: Actions }[]>([]);

/** Offers actions to the keyboard while a component is shown: before the next key can arrive, those of what is drawn. */
export function useActions(level: Level, actions: Actions): void {
  useLayoutEffect(() => {
    const offer = { level, actions };
    offers.value = [...offers.peek(), offer];
    return () => void (offers.value = offers.peek().filter((each) => each !== offer));
  });
}

export const works = (action: Action): boolean => offers.value.some(({ actions }) => actions[action] !== undefined);

export function perform(action: Action, key: string): void {
  const offered = LEVELS.flatMap((level) => offers.peek().filter((offer) => offer.level === level));
  offered.find(({ actions }) => actions[action] !== undefined)?.actions[action]?.(key);
}
