import type { Fault } from "./errors.ts";

/** Returns the result of `work`, or throws the fault when it takes too long; a later result is dropped. */
export async function withTimeout<T>(ms: number, work: () => Promise<T>, late: () => Fault): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  try {
    return await Promise.race([work(), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
