import { signal } from "@preact/signals";

const NAME = "holdfast-theme";
type Theme = "light" | "dark";

/** Follows the system until the person picks a scheme. */
export const theme = signal<Theme>("light");

export function startTheme(): void {
  const stored = localStorage.getItem(NAME);
  const system = matchMedia("(prefers-color-scheme: dark)");
  const ofSystem = (): Theme => (system.matches ? "dark" : "light");
  show(stored === "dark" || stored === "light" ? stored : ofSystem());
  system.addEventListener("change", () => {
    if (localStorage.getItem(NAME) === null) show(ofSystem());
  });
}

export function switchTheme(): void {
  const next = theme.peek() === "dark" ? "light" : "dark";
  localStorage.setItem(NAME, next);
  show(next);
}

function show(next: Theme): void {
  theme.value = next;
  document.documentElement.dataset["theme"] = next;
}
