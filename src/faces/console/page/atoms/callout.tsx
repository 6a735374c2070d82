import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

interface CalloutProps {
  readonly kind: "del" | "wait";
  readonly children: ComponentChildren;
}

/** Says what a person must know before anything else. */
export const Callout = ({ kind, children }: CalloutProps) => (
  <p class={`callout ${kind}`} role={kind === "del" ? "alert" : "status"}>
    <Icon name="warn" />
    <span>{children}</span>
  </p>
);

/** Says why an act or a request failed, where it was started. */
export const Failure = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <Callout kind="del">
      <bdi>{text}</bdi>
    </Callout>
  );
