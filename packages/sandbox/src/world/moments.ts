import { type Ledger, ownerOf } from "./ledger.js";
import type { Events } from "./worldEvents.js";

/** Notifies `listener` of each user whose balance, order, position or setting has changed. */
export function onAccountChange(ledger: Ledger, events: Events, listener: (uid: string) => void): void {
  ledger.onChange((wallet) => listener(ownerOf(wallet)));
  events.on((event) => {
    if (event.kind === "order") listener(event.order.uid);
    else if (event.kind === "position") listener(event.position.uid);
    else if (event.kind === "settings") listener(event.uid);
  });
}

/** A period in which an account is constant: no price moves, and nothing of it changes. */
export interface Moment {
  readonly tick: number;
}

export class Moments {
  readonly #present = new Map<string, Moment>();

  constructor(
    private readonly tick: () => number,
    ledger: Ledger,
    events: Events,
  ) {
    onAccountChange(ledger, events, (uid) => this.#present.delete(uid));
  }

  of(uid: string): Moment {
    const tick = this.tick();
    const present = this.#present.get(uid);
    if (present?.tick === tick) return present;
    const next = { tick };
    this.#present.set(uid, next);
    return next;
  }
}

/**
 * Figures of accounts that are computed once per moment for any number of readers. Only for readers outside of the trading rules:
 * within a rule a change of the account may be incomplete and not yet announced.
 */
export class Remembered<T> {
  readonly #values = new WeakMap<Moment, Map<string, T>>();

  /** Returns the cached value, or that of `reckon`; `name` identifies it within the account. */
  at(moment: Moment, name: string, reckon: () => T): T {
    const values = this.#values.get(moment) ?? new Map<string, T>();
    const value = values.get(name) ?? reckon();
    this.#values.set(moment, values.set(name, value));
    return value;
  }
}
