import { signal } from "@preact/signals";
import { LIVE_EVENTS, type LiveEvent } from "../../contract.ts";
import { isSignedOut } from "./api.ts";
import { refreshAfter, refreshAll } from "./console-state.ts";

/** Asks at most four times a second, however much happens. */
const BATCH_MS = 250;
const RETRY_MS = 5000;

/** Says since when the page hears nothing from the server; undefined while it does. */
export const silentSince = signal<Date | undefined>(undefined);

let source: EventSource | undefined;
let retry: ReturnType<typeof setTimeout> | undefined;
let batch: ReturnType<typeof setTimeout> | undefined;
const reported = new Set<LiveEvent>();

/** Opens the stream of events; while there is none, asks for everything every five seconds. */
export function listen(): void {
  clearTimeout(retry);
  source?.close();
  source = new EventSource("/api/events");
  source.addEventListener("open", () => {
    if (silentSince.peek()) refreshAll();
    silentSince.value = undefined;
    clearTimeout(retry);
  });
  source.addEventListener("error", () => {
    silentSince.value ??= new Date();
    clearTimeout(retry);
    if (isSignedOut.peek()) return source?.close();
    retry = setTimeout(() => {
      refreshAll();
      listen();
    }, RETRY_MS);
  });
  for (const event of LIVE_EVENTS) source.addEventListener(event, () => collect(event));
}

function collect(event: LiveEvent): void {
  reported.add(event);
  batch ??= setTimeout(() => {
    batch = undefined;
    for (const each of reported) refreshAfter(each);
    reported.clear();
  }, BATCH_MS);
}
