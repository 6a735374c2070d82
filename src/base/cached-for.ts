/** Returns a function that keeps its result for a while, whatever it is called with. It does not keep a failure. */
export function cachedFor<Args extends readonly unknown[], Result>(
  keepMs: number,
  make: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  let cached: { readonly untilMs: number; readonly result: Promise<Result> } | undefined;
  return (...args) => {
    if (cached && cached.untilMs > Date.now()) return cached.result;
    const made = { untilMs: Date.now() + keepMs, result: make(...args) };
    made.result.catch(() => {
      if (cached === made) cached = undefined;
    });
    cached = made;
    return made.result;
  };
}
