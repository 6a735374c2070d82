import { visible } from "../../../text/quote.ts";

/** Makes an element. Text becomes text nodes, with hidden characters escaped: no name or content becomes markup. */
export function element(name: string, className: string, ...children: readonly (string | Node)[]): HTMLElement {
  const made = document.createElement(name);
  if (className !== "") made.className = className;
  made.append(...children.map((child) => (typeof child === "string" ? visible(child) : child)));
  return made;
}

/** Makes a button that is off while its act runs. */
export function button(label: string, className: string, act: () => unknown): HTMLElement {
  const made = element("button", className, label) as HTMLButtonElement;
  made.type = "button";
  made.addEventListener("click", () => {
    made.disabled = true;
    void Promise.resolve(act()).finally(() => (made.disabled = false));
  });
  return made;
}

/** Replaces everything that the view shows. */
export const render = (...children: readonly (Node | undefined)[]): void =>
  document.body.replaceChildren(...children.filter((child) => child !== undefined));
