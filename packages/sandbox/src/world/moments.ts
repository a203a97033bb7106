import type { Events } from "./events.js";
import { type Ledger, ownerOf } from "./ledger.js";

/** Notifies `listener` of each user of whom a balance, an order, a position or a setting has changed. */
export function onAccountChange(ledger: Ledger, events: Events, listener: (uid: string) => void): void {
  ledger.onChange((wallet) => listener(ownerOf(wallet)));
  events.on((event) => {
    if (event.kind === "order") listener(event.order.uid);
    else if (event.kind === "position") listener(event.position.uid);
    else if (event.kind === "settings") listener(event.uid);
  });
}

/** A while in which an account stands still: no price moves, and nothing that it has changes. */
export interface Moment {
  readonly tick: number;
}

/** The present moment of every account. */
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
 * Figures of accounts that are worked out once a moment, however many ask for them. Only for whoever looks at an account
 * from outside: inside a rule it may be halfway through a change that has not been announced yet.
 */
export class Remembered<T> {
  readonly #known = new WeakMap<Moment, Map<string, T>>();

  /** What `reckon` gives; `name` identifies one of an account's things. */
  at(moment: Moment, name: string, reckon: () => T): T {
    const known = this.#known.get(moment) ?? new Map<string, T>();
    const value = known.get(name) ?? reckon();
    this.#known.set(moment, known.set(name, value));
    return value;
  }
}
