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
