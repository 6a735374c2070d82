import type { ComponentChildren } from "preact";
import { hashOf, type Screen } from "../state/route-of.ts";
import { Icon } from "./icon.tsx";

/** Leads from what is chosen back to its list, on a phone. */
export const BackLink = ({ to, children }: { readonly to: Screen; readonly children: ComponentChildren }) => (
  <a class="backlink" href={hashOf({ screen: to })}>
    <Icon name="back" />
    {children}
  </a>
);
