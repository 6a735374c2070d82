import { useSignal } from "@preact/signals";
import { wordsOf } from "./api.ts";

/** An act of the person that runs or has failed. */
export interface Attempt {
  readonly isRunning: boolean;
  /** Says why the last one failed, where it was started. */
  readonly failure: string | undefined;
  /** Runs an act, unless one runs already. */
  run(act: () => Promise<void>): void;
  clear(): void;
}

export function useAttempt(): Attempt {
  const isRunning = useSignal(false);
  const failure = useSignal<string | undefined>(undefined);
  const attempt = async (act: () => Promise<void>): Promise<void> => {
    isRunning.value = true;
    failure.value = undefined;
    try {
      await act();
    } catch (error) {
      // Every failure is shown to the person, who decides what is next.
      failure.value = wordsOf(error);
    } finally {
      isRunning.value = false;
    }
  };
  return {
    isRunning: isRunning.value,
    failure: failure.value,
    run: (act) => void (isRunning.peek() || attempt(act)),
    clear: () => void (failure.value = undefined),
  };
}
