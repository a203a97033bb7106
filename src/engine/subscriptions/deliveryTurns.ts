/** Something to be sent to many. */
export interface Delivery {
  /** Is it about accounts? */
  readonly isPrivate: boolean;
  /** Writes to at most so many listeners, and gives to how many. Fewer than `most`: it is over, or pauses, and will be booked again. */
  deliver(most: number): number;
}

/** Listeners that are written to in one turn of the event loop: one or two milliseconds. */
const WRITES_PER_TURN = 128;
/** So many of them belong to public deliveries, however much is sent about accounts. */
const PUBLIC_WRITES_PER_TURN = 32;
/** After so many writes a delivery lets the next one go on. */
const WRITES_AT_ONCE = 32;

/**
 * Sends in parts, a number of writes in each turn of the event loop, so that whatever arrives meanwhile waits for a part and not for
 * thousands of listeners. What is about accounts goes before what is public; among equals each delivery goes on in turn.
 */
export class DeliveryTurns {
  readonly #private: Delivery[] = [];
  readonly #public: Delivery[] = [];
  #isBooked = false;

  /** Sends this from the next turn of the event loop on. */
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

/** Goes on with each in turn, and gives how many writes that took. */
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
