import { setFlagsFromString } from "node:v8";

let isKeptSmall = false;

/** From now on the young heap does not grow, in this process. */
export function keepYoungHeapSmall(): void {
  isKeptSmall = true;
  setFlagsFromString(SMALL);
}

/** To be called when another thread has started: V8 then takes its own growth factor for all of them again. */
export function renewYoungHeap(): void {
  if (isKeptSmall) setFlagsFromString(SMALL);
}

const SMALL = "--semi-space-growth-factor=1";
