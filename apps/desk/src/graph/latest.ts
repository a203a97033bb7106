import { stringifyVariables } from "urql";
import { Store } from "../state/store.js";
import type { Document } from "./document.js";
import { follow, type LiveState, type Subscriber, type Surroundings } from "./live.js";

/** The last value of a subscription, and its state; both undefined before the first event. */
interface Last<Value> {
  readonly value: Value | undefined;
  readonly state: LiveState | undefined;
}

const NOTHING = { value: undefined, state: undefined } as const;

/** A subscription that exists while it has readers. */
class Shared<Value> {
  readonly #start: (store: Store<Last<Value>>) => () => void;
  #store = new Store<Last<Value>>(NOTHING, { isLive: true });
  #end: (() => void) | undefined;
  #readers = 0;

  constructor(start: (store: Store<Last<Value>>) => () => void) {
    this.#start = start;
  }

  get isIdle(): boolean {
    return this.#readers === 0;
  }

  readonly shown = (): Last<Value> => this.#store.shown();

  readonly subscribe = (reader: () => void): (() => void) => {
    const leave = this.#store.subscribe(reader);
    this.#readers += 1;
    this.#end ??= this.#start(this.#store);
    return () => {
      leave();
      this.#readers -= 1;
      if (!this.isIdle) return;
      this.#end?.();
      this.#end = undefined;
      this.#store = new Store<Last<Value>>(NOTHING, { isLive: true });
    };
  };

  /** Begins anew; the value stays until there is another one. */
  readonly restart = (): void => {
    if (this.isIdle) return;
    this.#end?.();
    this.#end = this.#start(this.#store);
  };
}

/** Maximum number of kept subscriptions without a reader. */
const KEPT = 50;

/** A document of which each event has the whole value. All readers of the same variables share one subscription. */
export class Latest<Result, Variables extends object, Value> {
  readonly document: Document<Result, Variables>;
  readonly #valueOf: (data: Result) => Value;
  readonly #shared = new WeakMap<Subscriber, Map<string, Shared<Value>>>();

  constructor(document: Document<Result, Variables>, valueOf: (data: Result) => Value) {
    this.document = document;
    this.#valueOf = valueOf;
  }

  /** The subscription with these variables. */
  of(client: Subscriber, variables: Variables, page: Surroundings): Shared<Value> {
    const all = this.#shared.get(client) ?? new Map<string, Shared<Value>>();
    this.#shared.set(client, all);
    const key = stringifyVariables(variables);
    const found = all.get(key);
    if (found !== undefined) return found;
    if (all.size >= KEPT) for (const [old, { isIdle }] of all) if (isIdle) all.delete(old);
    const made = new Shared<Value>((store) =>
      follow(
        client,
        { document: this.document, variables },
        {
          take: (data) => store.update(({ state }) => ({ value: this.#valueOf(data), state })),
          report: (state) => store.update(({ value }) => ({ value, state })),
        },
        page,
      ),
    );
    all.set(key, made);
    return made;
  }
}
