import type { ComponentChildren } from "preact";
import { hashOf, type Route } from "../state/route-of.ts";
import { choose, isPhone } from "../state/route.ts";

interface RowLinkProps {
  readonly to: Route & { readonly id: string };
  /** One row of a list is a tab stop: the chosen one. */
  readonly isChosen: boolean;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** Links a row to what it is about: beside the list on a wide page, instead of it on a phone. */
export const RowLink = ({ to, isChosen, class: name, children }: RowLinkProps) => (
  <a
    class={name}
    href={hashOf(to)}
    data-row={to.id}
    tabIndex={isChosen ? 0 : -1}
    onClick={(event) => {
      if (isPhone() || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      choose(to);
    }}
  >
    {children}
  </a>
);
