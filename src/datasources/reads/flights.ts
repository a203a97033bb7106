interface Flight<T> {
  readonly answer: Promise<T>;
  /** Is it on its way to the exchange, or beyond? */
  readonly hasLeft: boolean;
}

/** Calls under way, by key: whoever asks for the same again gets the same promise. */
export class Flights<T> {
  readonly #flying = new Map<string, Flight<T>>();

  /**
   * Joins the call of this key, or starts it. `joined` tells which. `start` is given what to call when the call leaves:
   * until then it waits for its turn.
   */
  join(key: string, start: (leave: () => void) => Promise<T>): { readonly answer: Promise<T>; readonly joined: boolean } {
    const flying = this.#flying.get(key);
    if (flying !== undefined) return { answer: flying.answer, joined: true };
    let hasLeft = false;
    const answer = start(() => {
      hasLeft = true;
    }).finally(() => {
      if (this.#flying.get(key) === flight) this.#flying.delete(key);
    });
    const flight: Flight<T> = {
      answer,
      get hasLeft() {
        return hasLeft;
      },
    };
    this.#flying.set(key, flight);
    return { answer, joined: false };
  }

  /**
   * Lets later askers start anew: what has left began before something changed. What still waits for its turn will
   * see the change, and stays shared: otherwise every change would put one more call into the line.
   */
  forget(prefix: string): void {
    for (const [key, { hasLeft }] of this.#flying) if (hasLeft && key.startsWith(prefix)) this.#flying.delete(key);
  }
}
