import type { Clock } from "@exchange-graph/contract/clock";

/** The result of a promise; `undefined` if it takes longer than `ms`. */
export function inTime<T>(clock: Clock, promise: Promise<T>, ms: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => resolve(undefined));
    promise.then(resolve, reject).finally(cancel);
  });
}
