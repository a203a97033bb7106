import type { RateBudgetStore, SharedCounter, SlotLease, SlotUse } from "../ports/rateBudgetStore.js";
import { ADDRESS_COUNTER } from "../scheduler/counterOf.js";
import type { Engine } from "./engine.js";
import { CounterLease, type SlotRequest } from "./slotLease.js";
import { ON_THE_WAY_MS, RENEW_MS, SLOTS } from "./slotScript.js";

const WITHIN_MS = 500;

/**
 * Slots leased from Redis. All counters in use are renewed together, so only the first call after a pause waits for it. A lease
 * is valid by this process's monotonic clock from before its request, and is checked synchronously when a slot is taken: a
 * process that was suspended finds it expired.
 */
export class RedisRateBudgets implements RateBudgetStore {
  readonly #leases = new Map<string, CounterLease>();
  #cancel = (): void => undefined;
  #isClosed = false;

  constructor(private readonly engine: Engine) {
    engine.on({
      up: () => {
        for (const lease of this.#leases.values()) lease.begin();
        this.#renew();
      },
    });
    this.#book();
  }

  lease(counter: SharedCounter, use: () => SlotUse, changed: () => void): SlotLease {
    const key = this.#keyOf(counter);
    const known = this.#leases.get(key);
    if (known !== undefined) return known.usedBy(use, changed);
    const lease = new CounterLease(counter, {
      monotonic: this.engine.monotonic,
      engine: this.engine,
      demand: (one, afterMs) => this.#demand(one, afterMs),
    });
    this.#leases.set(key, lease);
    return lease.usedBy(use, changed);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await Promise.all([...this.#leases.values()].map((lease) => this.#ask(lease, true)));
  }

  #book(): void {
    this.#cancel = this.engine.clock.after(RENEW_MS, () => {
      this.#renew();
      if (!this.#isClosed) this.#book();
    });
  }

  /** Commands of one turn of the event loop are sent together. */
  #renew(): void {
    for (const [key, lease] of this.#leases) {
      void this.#ask(lease);
      lease.look();
      if (lease.isOver) this.#leases.delete(key);
    }
  }

  /** Requests of one microtask turn are sent together. */
  #demand(lease: CounterLease, afterMs: number): void {
    if (afterMs === 0) queueMicrotask(() => void this.#ask(lease));
    else this.engine.clock.after(afterMs, () => void this.#ask(lease));
  }

  async #ask(lease: CounterLease, isClosing = false): Promise<void> {
    if (!this.engine.isUp || (this.#isClosed && !isClosing)) return;
    const request = lease.next(isClosing);
    if (request === undefined) return;
    const { epoch } = this.engine;
    const keys = [this.engine.key("members"), this.#keyOf(lease.counter)];
    try {
      const reply = await this.engine.run(SLOTS, keys, this.#wordsOf(lease.counter, request), WITHIN_MS);
      const [slots = 0, , fair = 0, free = 0] = numbersOf(reply);
      if (epoch === this.engine.epoch) lease.granted(request, { slots, fair, free });
      else lease.failed(request);
    } catch (error) {
      lease.failed(request);
      this.engine.report(error);
    }
  }

  #keyOf({ endpoint, counter, limit }: SharedCounter): string {
    const whose = counter === ADDRESS_COUNTER ? `address:${this.engine.settings.egressGroup}` : `account:${counter}`;
    return this.engine.key("slots", endpoint, whose, String(limit));
  }

  #wordsOf(
    { limit, windowMs }: SharedCounter,
    { keep, mine, ask, want, isForCancels }: SlotRequest,
  ): readonly (string | number)[] {
    return [this.engine.settings.replica, keep, mine, ask, want, limit, windowMs + ON_THE_WAY_MS, isForCancels ? 1 : 0];
  }
}

const numbersOf = (reply: unknown): readonly number[] =>
  Array.isArray(reply) ? reply.map((part) => Number.parseInt(String(part), 10)) : [];
