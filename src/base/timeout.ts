import type { Fault } from "./errors.ts";

/** What some work gives, or the fault when it takes too long: what it gives after that is nobody's. */
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
