import type { Clock } from "@exchange-graph/contract/clock";

export interface EventDelivery {
  /** Whether it is about accounts. */
  readonly isPrivate: boolean;
  /**
   * Writes to at most `most` listeners and returns their number. Fewer than `most` means that the delivery is finished or paused;
   * it is scheduled again when it continues.
   */
  deliver(most: number): number;
}

/** Maximum writes in one turn of the event loop: one or two milliseconds. */
const WRITES_PER_TURN = 128;
/** Writes per turn that are reserved for public deliveries, under any load of private ones. */
const PUBLIC_WRITES_PER_TURN = 32;
/** Writes of one delivery before the next one continues. */
const WRITES_AT_ONCE = 32;

/**
 * Sends deliveries in parts, a bounded number of writes per turn of the event loop, so that other work waits for one part and not
 * for thousands of listeners. Private deliveries go before public ones; deliveries of one kind take turns.
 */
export class DeliveryTurns {
  readonly #private: EventDelivery[] = [];
  readonly #public: EventDelivery[] = [];
  #isBooked = false;

  /** Starts sending in the next turn of the event loop. */
  book(delivery: EventDelivery): void {
    (delivery.isPrivate ? this.#private : this.#public).push(delivery);
    this.#bookTurn();
  }

  #bookTurn(): void {
    if (this.#isBooked) return;
    this.#isBooked = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    const reserved = this.#public.length > 0 ? PUBLIC_WRITES_PER_TURN : 0;
    const written = send(this.#private, WRITES_PER_TURN - reserved);
    send(this.#public, WRITES_PER_TURN - written);
    this.#isBooked = false;
    if (this.#private.length > 0 || this.#public.length > 0) this.#bookTurn();
  }
}

/** Continues the deliveries in turn and returns the number of writes. */
function send(line: EventDelivery[], most: number): number {
  let all = 0;
  while (all < most) {
    const delivery = line.shift();
    if (delivery === undefined) break;
    const share = Math.min(WRITES_AT_ONCE, most - all);
    const written = delivery.deliver(share);
    if (written === share) line.push(delivery);
    all += written;
  }
  return all;
}

/** Counts events of a client. Returns the time to wait in ms if its quota is used up. */
export type SpendEvents = (count: number) => number | undefined;

/** Minimum wait, so that a used-up quota is checked for several events at once. */
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
