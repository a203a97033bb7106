/** The client's source of time. Tests pass a manual clock. */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number;
  /** Runs `task` once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, task: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};

/** A number from 0 up to 1, for jitter. */
export const systemRandom = (): number => Math.random();

/** Pause in ms before attempt number `attempt` (the first is 0): it doubles up to `maxMs`, and half of it is jitter. */
export const backoff = (attempt: number, firstMs: number, maxMs: number, random: () => number): number =>
  Math.min(firstMs * 2 ** Math.min(attempt, 16), maxMs) * (0.5 + random() / 2);

/** Dependencies of pauses. */
export interface Waiting {
  readonly clock: Clock;
  readonly random: () => number;
}

/** Waits; rejects with the signal's reason. */
export const pause = (ms: number, { clock }: Pick<Waiting, "clock">, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener("abort", end);
      resolve();
    });
    if (signal?.aborted === true) end();
    signal?.addEventListener("abort", end, { once: true });
  });
