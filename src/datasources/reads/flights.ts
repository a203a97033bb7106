/** Calls under way, by key: whoever asks for the same again gets the same promise. */
export class Flights<T> {
  readonly #flying = new Map<string, Promise<T>>();

  /** Joins the call of this key, or starts it. `joined` tells which. */
  join(key: string, start: () => Promise<T>): { readonly answer: Promise<T>; readonly joined: boolean } {
    const flying = this.#flying.get(key);
    if (flying !== undefined) return { answer: flying, joined: true };
    const answer = start().finally(() => {
      if (this.#flying.get(key) === answer) this.#flying.delete(key);
    });
    this.#flying.set(key, answer);
    return { answer, joined: false };
  }

  /** Lets later askers start anew: what is under way began before something changed. */
  forget(prefix: string): void {
    for (const key of this.#flying.keys()) if (key.startsWith(prefix)) this.#flying.delete(key);
  }

  get size(): number {
    return this.#flying.size;
  }
}
