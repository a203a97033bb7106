import {
  ADDRESS_COUNTER,
  type RateBudgetStore,
  type SharedCounter,
  type SlotLease,
  type SlotUse,
} from "../../../../src/datasources/calls/index.js";
import type { RedisEngine } from "./redisEngine.js";
import { REPORTED } from "./script.js";
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
  /** The Redis is new, and does not have this replica's slots yet. */
  #isUnreported = false;

  constructor(private readonly engine: RedisEngine) {
    engine.on({
      up: (isNew) => {
        for (const lease of this.#leases.values()) lease.begin();
        this.#isUnreported ||= isNew;
        this.#report().catch(engine.report);
      },
    });
    this.#book();
  }

  lease(counter: SharedCounter, use: () => SlotUse, changed: () => void): SlotLease {
    const key = this.#keyOf(counter);
    const existing = this.#leases.get(key);
    if (existing !== undefined) return existing.usedBy(use, changed);
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

  /** A new Redis need not wait for this replica once it has all its slots. */
  async #report(): Promise<void> {
    const { epoch } = this.engine;
    const answered = await Promise.all([...this.#leases.values()].map((lease) => this.#ask(lease)));
    if (!this.#isUnreported || answered.includes(false) || epoch !== this.engine.epoch) return;
    await this.engine.run(REPORTED, [this.engine.key("reported")], [this.engine.settings.replica], WITHIN_MS);
    this.#isUnreported = false;
    this.#renew();
  }

  /** Requests of one microtask turn are sent together. */
  #demand(lease: CounterLease, afterMs: number): void {
    if (afterMs === 0) queueMicrotask(() => void this.#ask(lease));
    else this.engine.clock.after(afterMs, () => void this.#ask(lease));
  }

  /** Whether Redis has this replica's slots of a counter now. */
  async #ask(lease: CounterLease, isClosing = false): Promise<boolean> {
    if (!this.engine.isUp || (this.#isClosed && !isClosing)) return false;
    const request = lease.next(isClosing);
    if (request === undefined) return true;
    const { epoch } = this.engine;
    const keys = [this.engine.key("members"), this.#keyOf(lease.counter), this.engine.key("reported")];
    try {
      const reply = await this.engine.run(SLOTS, keys, this.#wordsOf(lease.counter, request), WITHIN_MS);
      const [slots = 0, replicas = 1, fair = 0, free = 0] = numbersOf(reply);
      const isCurrent = epoch === this.engine.epoch;
      if (isCurrent) lease.granted(request, { slots, replicas, fair, free });
      else lease.failed(request);
      return isCurrent;
    } catch (error) {
      lease.failed(request);
      this.engine.report(error);
      return false;
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
