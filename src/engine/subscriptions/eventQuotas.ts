import type { Clock } from "@exchange-graph/contract/clock";

/** Counts events of a client. Returns the time to wait in ms if its quota is used up. */
export type SpendEvents = (count: number) => number | undefined;

/** Minimum wait, so that a quota that is used up is asked for many events at once, and not for each. */
const LEAST_WAIT_MS = 20;

/** An event that waits until its client has quota again. */
interface WaitingEvent {
  readonly count: number;
  readonly spend: SpendEvents;
  readonly resolve: () => void;
}

/** The events that wait for the quotas of their clients: those of one client in order. */
export class EventQuotas {
  readonly #waiting = new Map<string, WaitingEvent[]>();

  constructor(private readonly clock: Clock) {}

  /** Counts events of a client. Undefined if they are within its quota; otherwise resolves when they are. */
  spend(client: string, count: number, spend: SpendEvents): Promise<void> | undefined {
    const before = this.#waiting.get(client);
    const waitMs = before === undefined ? spend(count) : undefined;
    if (before === undefined && waitMs === undefined) return undefined;
    return new Promise((resolve) => {
      const queue = before ?? [];
      queue.push({ count, spend, resolve });
      if (waitMs === undefined) return;
      this.#waiting.set(client, queue);
      this.#book(client, queue, waitMs);
    });
  }

  #book(client: string, queue: WaitingEvent[], waitMs: number): void {
    this.clock.after(Math.max(LEAST_WAIT_MS, waitMs), () => {
      let served = 0;
      for (const { count, spend, resolve } of queue) {
        const more = spend(count);
        if (more !== undefined) {
          queue.splice(0, served);
          this.#book(client, queue, more);
          return;
        }
        served++;
        resolve();
      }
      this.#waiting.delete(client);
    });
  }
}
