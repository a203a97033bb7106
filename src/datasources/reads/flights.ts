import { type Requester, SharedRequester } from "../scheduler/requester.js";
import { isUnsent } from "./places.js";

/** A call under way. */
class Flight<T> {
  /**
   * The answer is let go of when it has come. A map that calls come into and go from all the time is copied again and
   * again, and the garbage collector takes what dead copies of it point to for alive: every answer would live for long.
   */
  answer: Promise<T> | undefined;
  /** Is it on its way to the exchange, or beyond? */
  hasLeft = false;
  /** All who wait for it: it has its turn as long as there is one. */
  readonly requester: SharedRequester;

  constructor(
    first: Requester,
    /** Does it wait for its turn for longer than a request would? */
    readonly isPatient: boolean,
  ) {
    this.requester = new SharedRequester(first);
  }

  /** Will it still be sent, if it has not been? */
  get isWanted(): boolean {
    return this.hasLeft || !(this.requester.refusal() instanceof Error);
  }
}

/** Calls under way, by key: whoever asks for the same again gets the same promise. */
export class Flights<T> {
  readonly #flying = new Map<string, Flight<T>>();

  /**
   * Joins the call of this key, or starts it. `joined` says which, and `mayBeLong` whether it waits for its turn for longer than a
   * request would. `start` is given what to call when the call leaves: until then it waits for its turn, for all who have joined it.
   * Whoever is patient begins anew where a call of others had no turn in their time.
   */
  join(
    key: string,
    requester: Requester,
    start: (all: Requester, leave: () => void) => Promise<T>,
    isPatient = false,
  ): { readonly answer: Promise<T>; readonly joined: boolean; readonly mayBeLong: boolean } {
    const flying = this.#flying.get(key);
    if (flying?.answer !== undefined && flying.isWanted) {
      flying.requester.join(requester);
      if (flying.isPatient || !isPatient) return { answer: flying.answer, joined: true, mayBeLong: flying.isPatient };
      const answer = flying.answer.catch((error: unknown) => {
        if (!isUnsent(error)) throw error;
        return this.join(key, requester, start, isPatient).answer;
      });
      return { answer, joined: true, mayBeLong: false };
    }
    const flight = new Flight<T>(requester, isPatient);
    const started = start(flight.requester, () => {
      flight.hasLeft = true;
    });
    const land = (): void => {
      flight.answer = undefined;
      if (this.#flying.get(key) === flight) this.#flying.delete(key);
    };
    // `finally` would take three promises more.
    const answer = started.then(
      (value) => {
        land();
        return value;
      },
      (error: unknown) => {
        land();
        throw error;
      },
    );
    flight.answer = answer;
    this.#flying.set(key, flight);
    return { answer, joined: false, mayBeLong: isPatient };
  }

  /**
   * Lets later readers start again: what has left began before something changed. What still waits for its turn will
   * see the change, and stays shared: otherwise every change would put one more call into the line.
   */
  forget(prefix: string): void {
    for (const [key, { hasLeft }] of this.#flying) if (hasLeft && key.startsWith(prefix)) this.#flying.delete(key);
  }

  get size(): number {
    return this.#flying.size;
  }
}
