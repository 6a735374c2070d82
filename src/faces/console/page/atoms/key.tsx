import type { ComponentChildren } from "preact";

export const Key = ({ children }: { readonly children: ComponentChildren }) => <kbd>{children}</kbd>;
