import { signal } from "@preact/signals";

export const VIEWS = ["Unified", "Split"] as const;
type View = (typeof VIEWS)[number];

/** The view of every diff. On a phone all are unified. */
export const view = signal<View>("Unified");

export const switchView = (): void => void (view.value = view.peek() === "Split" ? "Unified" : "Split");
