import { signal } from "@preact/signals";

const SHOWN_MS = 4000;

/** The last success in a sentence. Failures stand where the act was. */
export const toast = signal("");

let timer: ReturnType<typeof setTimeout> | undefined;

export function say(text: string): void {
  toast.value = text;
  clearTimeout(timer);
  timer = setTimeout(() => void (toast.value = ""), SHOWN_MS);
}
