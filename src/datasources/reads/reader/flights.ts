import { type Requester, SharedRequester } from "../../calls/index.js";
import { isUnsent } from "./places.js";

/** A running call. */
class Flight<T> {
  /**
   * Released when the answer has come, and so is the requester. A map with frequent additions and deletions is copied again and
   * again, and dead copies keep what they point to alive: every answer would live for long.
   */
  answer: Promise<T> | undefined;
  /** Whether it has been sent. */
  hasLeft = false;
  /** All requesters that wait for it: it keeps its turn as long as there is one. */
  requester: SharedRequester | undefined;

  constructor(
    requester: SharedRequester,
    /** Whether it may wait longer for its turn than a request does. */
    readonly isPatient: boolean,
  ) {
    this.requester = requester;
  }

  /** Whether it will still be sent, if it has not been. */
  get isWanted(): boolean {
    return this.hasLeft || !(this.requester?.refusal() instanceof Error);
  }

  land(): void {
    this.answer = undefined;
    this.requester = undefined;
  }
}

/** Running calls by key: equal reads share one promise. */
export class Flights<T> {
  readonly #flying = new Map<string, Flight<T>>();

  /**
   * Joins the call with this key, or starts it. `joined` is true for the former, `mayBeLong` if the call may wait longer for its
   * turn than a request does. `start` gets a callback for when the call is sent: until then it waits for its turn, for all
   * requesters that joined it. A patient caller starts a new call if a shared one got no turn in time.
   */
  join(
    key: string,
    requester: Requester,
    start: (all: Requester, leave: () => void) => Promise<T>,
    isPatient = false,
  ): { readonly answer: Promise<T>; readonly joined: boolean; readonly mayBeLong: boolean } {
    const flying = this.#flying.get(key);
    if (flying?.answer !== undefined && flying.isWanted) {
      flying.requester?.join(requester);
      if (flying.isPatient || !isPatient) return { answer: flying.answer, joined: true, mayBeLong: flying.isPatient };
      const answer = flying.answer.catch((error: unknown) => {
        if (!isUnsent(error)) throw error;
        return this.join(key, requester, start, isPatient).answer;
      });
      return { answer, joined: true, mayBeLong: false };
    }
    const all = new SharedRequester(requester);
    const flight = new Flight<T>(all, isPatient);
    const started = start(all, () => {
      flight.hasLeft = true;
    });
    const land = (): void => {
      flight.land();
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
   * Makes later reads start new calls: calls that were sent before a change may have old data. A call that still waits for its
   * turn will see the change and stays shared; otherwise every change would add a call to the queue.
   */
  forget(prefix: string): void {
    for (const [key, { hasLeft }] of this.#flying) if (hasLeft && key.startsWith(prefix)) this.#flying.delete(key);
  }

  get size(): number {
    return this.#flying.size;
  }
}
