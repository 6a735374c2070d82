/** Runs work when all that was handed over before has ended, well or not. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

export function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return function inTurn(work) {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}
