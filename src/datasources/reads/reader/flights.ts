import type { Clock } from "@exchange-graph/contract/clock";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import { type Requester, SharedRequester } from "../../calls/index.js";
import { callFault, Fault, inTime } from "../../errors/index.js";

/** Time between slots from which a budget counts as scarce: a call that gets none keeps its place in the queue. */
const SCARCE_MS = 1_000;
/** Maximum number of kept places. */
const MAX_PLACES = 500;
/** Time for which a place is kept, in ms. */
export const PLACE_MS = 120_000;

/**
 * Keeps a call that got no slot in time in the queue after its request has ended: later equal reads wait for it, and its answer is
 * cached. Only for scarce budgets, where a call that starts again with each request might never get a slot.
 */
export class Places {
  readonly #keys = new Set<string>();

  constructor(
    private readonly clock: Clock,
    /** Maximum wait of one read, in ms. */
    private readonly deadlineMs: number,
  ) {}

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Keeps the place of a call that failed with `error`, if it got no slot. `wait` waits for one. */
  keep(key: string, endpoint: Endpoint, error: unknown, wait: () => Promise<void>): void {
    if (endpoint.cache === undefined || !isScarce(endpoint) || !isUnsent(error)) return;
    if (this.#keys.has(key) || this.#keys.size >= MAX_PLACES) return;
    this.#keys.add(key);
    void wait().finally(() => this.#keys.delete(key));
  }

  /** Waits for the answer of a kept call, as long as a read of its own would. Then throws `RATE_LIMITED`. */
  async inTime<T>({ name }: Endpoint, answer: Promise<T>): Promise<T> {
    const found = await inTime(
      this.clock,
      answer.then((value) => ({ value })),
      this.deadlineMs,
    );
    if (found !== undefined) return found.value;
    const text = "no slot came in time; the call keeps its place";
    throw callFault("RATE_LIMITED", name, text, { retryAfterMs: SCARCE_MS });
  }
}

/** Whether slots are so far apart that a call waits longer for its slot than for its answer. */
export const isScarce = ({ rate }: Pick<Endpoint, "rate">): boolean => rate.windowMs / rate.limit >= SCARCE_MS;

/** Whether the call was not sent because it got no slot. */
const isUnsent = (error: unknown): boolean =>
  error instanceof Fault && error.code === "RATE_LIMITED" && error.extensions.exchange === undefined;

class Flight<T> {
  /**
   * Set to undefined with the requester when the answer has arrived. A map with frequent additions and deletions is copied
   * repeatedly, and its dead copies would keep every answer in memory.
   */
  answer: Promise<T> | undefined;
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
   * Joins the call with this key, or starts it. `joined`: whether it was joined; `mayBeLong`: whether the call may wait longer for
   * its turn than a request does. `start` gets a callback for when the call is sent: until then it waits for its turn, for all
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
    const answer = start(all, () => {
      flight.hasLeft = true;
    });
    const land = (): void => {
      flight.land();
      if (this.#flying.get(key) === flight) this.#flying.delete(key);
    };
    answer.then(land, land);
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
