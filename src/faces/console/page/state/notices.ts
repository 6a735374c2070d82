import { effect, signal } from "@preact/signals";
import { shown } from "../format/shown.ts";
import { waiting } from "./console-state.ts";

/** Says whether the browser may show notifications: "default" means that the person was not asked yet. */
export const permission = signal<NotificationPermission>(
  "Notification" in globalThis ? Notification.permission : "denied",
);

export async function askForNotices(): Promise<void> {
  permission.value = await Notification.requestPermission();
}

/** Shows a notification for each new question while the page is not in view, if the person allowed it. */
export function startNotices(): void {
  let known: ReadonlySet<string> | undefined;
  effect(() => {
    const pending = waiting.value.value?.questions.filter(({ state }) => state === "pending");
    if (!pending) return;
    const fresh = pending.filter(({ id }) => known && !known.has(id));
    known = new Set(pending.map(({ id }) => id));
    if (permission.peek() !== "granted" || !document.hidden) return;
    for (const { id, agent, summary } of fresh) notify(id, agent, summary);
  });
}

function notify(id: string, agent: string, summary: string): void {
  const notice = new Notification(`${shown(agent)} waits for your answer`, { body: shown(summary), tag: id });
  notice.addEventListener("click", () => {
    focus();
    location.hash = `#/waiting/${encodeURIComponent(id)}`;
  });
}
