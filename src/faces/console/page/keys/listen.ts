import { perform, works } from "./actions.ts";
import { actionOf, type Press } from "./table.ts";

/** Performs the actions of keys from now on. */
export function listenToKeys(): void {
  addEventListener("keydown", (event) => {
    const action = actionOf(pressOf(event), works);
    if (action === undefined) return;
    event.preventDefault();
    perform(action, event.key);
  });
}

function pressOf(event: KeyboardEvent): Press {
  const target = event.target instanceof Element ? event.target : document.body;
  const isField = target.matches("input:not([type=checkbox]), textarea, select");
  if (isField && event.key === "Escape" && target instanceof HTMLElement) target.blur();
  return {
    key: event.key,
    hasModifier: event.ctrlKey || event.altKey || event.metaKey,
    isTyping: isField || document.querySelector("dialog[open]") !== null,
    isOnControl: target.matches("button, input, summary, a:not([data-row])"),
    isOnScroller: target.matches("[role=region], [role=log]"),
  };
}
