import type { Clock } from "@exchange-graph/contract/clock";

/** What a promise gives; `undefined` when it takes longer than so many ms. */
export function inTime<T>(clock: Clock, promise: Promise<T>, ms: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => resolve(undefined));
    promise.then(resolve, reject).finally(cancel);
  });
}
