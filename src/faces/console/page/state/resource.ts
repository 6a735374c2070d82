import { type ReadonlySignal, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { wordsOf } from "./api.ts";

/** Something of the server that a screen shows: its newest answer, and why there is none. */
export interface Resource<T> {
  readonly value: ReadonlySignal<T | undefined>;
  readonly failure: ReadonlySignal<string | undefined>;
  /** Asks again, if anyone has asked before. While it asks, further calls lead to one more request. */
  refresh(): Promise<void>;
  load(): Promise<void>;
}

export function createResource<T>(ask: () => Promise<T>): Resource<T> {
  const value = signal<T | undefined>(undefined);
  const failure = signal<string | undefined>(undefined);
  let isAsked = false;
  let running: Promise<void> | undefined;
  let isAskedAgain = false;
  const once = async (): Promise<void> => {
    try {
      value.value = await ask();
      failure.value = undefined;
    } catch (error) {
      // Every failure is shown where the answer would be; the last answer stays.
      failure.value = wordsOf(error);
    }
  };
  const run = async (): Promise<void> => {
    do {
      isAskedAgain = false;
      await once();
    } while (isAskedAgain);
    running = undefined;
  };
  const load = (): Promise<void> => {
    isAsked = true;
    if (running) isAskedAgain = true;
    return (running ??= run());
  };
  return { value, failure, load, refresh: () => (isAsked ? load() : Promise.resolve()) };
}

/** Returns the newest answer and asks for one when the component is first shown. */
export function useResource<T>({ value, load }: Resource<T>): T | undefined {
  useEffect(() => void load(), [load]);
  return value.value;
}
