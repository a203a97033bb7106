/**
 * Users' histories before the start of the world. A history is created when it is first read, because it takes half of the time
 * of creating a world and most worlds never need it. The result does not depend on that time.
 */
export class Pasts {
  readonly #unmade = new Map<string, () => void>();

  /** `make` enters what a user did. */
  prepare(uid: string, make: () => void): void {
    this.#unmade.set(uid, make);
  }

  /** Has to be called before a read that may include a user's history. */
  recall(uid: string): void {
    const make = this.#unmade.get(uid);
    if (make === undefined) return;
    // Before the creation, which itself reads what it has added.
    this.#unmade.delete(uid);
    make();
  }
}
