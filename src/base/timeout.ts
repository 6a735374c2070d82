import type { Fault } from "./errors.ts";

/** Returns the result of `work`, or throws the fault when it takes too long; a later result is dropped. */
export async function withTimeout<T>(ms: number, work: () => Promise<T>, timeoutFault: () => Fault): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timeoutFault()), ms);
  });
  try {
    return await Promise.race([work(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for work to end, well or not, no longer than a time. Returns false where it goes on. */
export async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<false>((resolve) => (timer = setTimeout(resolve, ms, false)));
  const ended = work.then(
    () => true,
    () => true,
  );
  return Promise.race([ended, timeout]).finally(() => clearTimeout(timer));
}

/** Tells at any moment whether something has ended, well or badly. `ended` resolves then and never rejects. */
export function watchEnd(promise: Promise<unknown>): { readonly ended: Promise<void>; hasEnded(): boolean } {
  let hasEnded = false;
  const noteEnd = (): void => void (hasEnded = true);
  return { ended: promise.then(noteEnd, noteEnd), hasEnded: () => hasEnded };
}
