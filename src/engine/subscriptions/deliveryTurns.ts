/** A delivery to many listeners. */
export interface Delivery {
  /** Whether it is about accounts. */
  readonly isPrivate: boolean;
  /**
   * Writes to at most `most` listeners and returns their number. Fewer than `most` means that it is finished or paused; it will
   * be booked again.
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
  readonly #private: Delivery[] = [];
  readonly #public: Delivery[] = [];
  #isBooked = false;

  /** Starts sending in the next turn of the event loop. */
  book(delivery: Delivery): void {
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
function send(line: Delivery[], most: number): number {
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
