import { type Actions, useActions } from "../keys/actions.ts";

/** Moves through a list with the keyboard: selection and focus go together. */
export function useListKeys(ids: readonly string[], chosen: string | undefined, choose: (id: string) => void): void {
  const at = chosen === undefined ? -1 : ids.indexOf(chosen);
  const go = (index: number): void => {
    const id = ids[Math.min(ids.length - 1, Math.max(0, index))];
    if (id === undefined) return;
    choose(id);
    focusRow(id);
  };
  const moves: Actions = {
    down: () => go(at + 1),
    up: () => go(at - 1),
    top: () => go(0),
    bottom: () => go(ids.length - 1),
  };
  useActions("screen", ids.length === 0 ? {} : moves);
}

/** Puts the focus on the link of a row once it is drawn. */
export function focusRow(id: string): void {
  requestAnimationFrame(() => {
    const row = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`);
    row?.focus({ preventScroll: true });
    row?.closest("li, tr")?.scrollIntoView({ block: "nearest" });
  });
}

/** Returns the id that follows one in a list, or the one before at its end: the focus goes there after an act. */
export function neighborOf(ids: readonly string[], id: string): string | undefined {
  const at = ids.indexOf(id);
  return ids[at + 1] ?? ids[at - 1];
}
