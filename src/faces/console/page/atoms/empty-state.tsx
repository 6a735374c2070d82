import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icons.ts";

interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** Says that there is nothing, in a sentence of fact and one of what to do. */
export const EmptyState = ({ icon, title, children }: EmptyStateProps) => (
  <div class="empty">
    <Icon name={icon} />
    <h2>{title}</h2>
    <div>{children}</div>
  </div>
);
