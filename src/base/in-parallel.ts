/**
 * Does the work for all items, so many at a time, begun in their order. After a failure it begins no more, waits for
 * those that run, and throws the first error.
 */
export async function inParallel<Item>(
  items: Iterable<Item>,
  most: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const errors: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (let next = waiting.next(); !next.done && errors.length === 0; next = waiting.next())
      await work(next.value).catch((error: unknown) => void errors.push(error));
  };
  await Promise.all(Array.from({ length: most }, worker));
  if (errors.length > 0) throw errors[0];
}
