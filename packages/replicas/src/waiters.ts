import type { Clock } from "@exchange-graph/contract/clock";

/** Waits for what other replicas do, and announce by an id. */
export class Waiters {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Resolves when `id` is announced, at the latest after `ms`. */
  wait(id: string, ms: number, clock: Clock): Promise<void> {
    return new Promise((resolve) => {
      const all = this.#waiting.get(id) ?? new Set();
      this.#waiting.set(id, all);
      const wake = () => {
        cancel();
        all.delete(wake);
        if (all.size === 0 && this.#waiting.get(id) === all) this.#waiting.delete(id);
        resolve();
      };
      const cancel = clock.after(ms, wake);
      all.add(wake);
    });
  }

  wake(id: string): void {
    for (const wake of [...(this.#waiting.get(id) ?? [])]) wake();
  }

  /** Announcements may have been missed, or nothing is waited for any more. */
  wakeAll(): void {
    for (const id of [...this.#waiting.keys()]) this.wake(id);
  }
}
