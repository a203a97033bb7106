import type { Clock } from "@exchange-graph/contract/clock";

/** Timers by name: setting a timer again replaces its former task. */
export class Timers {
  readonly #booked = new Map<string, () => void>();

  constructor(private readonly clock: Clock) {}

  after(name: string, ms: number, task: () => void): void {
    this.#booked.get(name)?.();
    this.#booked.set(name, this.clock.after(ms, task));
  }

  stop(name: string): void {
    this.#booked.get(name)?.();
    this.#booked.delete(name);
  }

  stopAll(): void {
    for (const cancel of this.#booked.values()) cancel();
    this.#booked.clear();
  }
}
