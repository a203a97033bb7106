/**
 * What users did before the world began. It is made when it is first read, which most worlds never see: it would be half of the
 * work of making a world. It is the same whenever that is.
 */
export class Pasts {
  readonly #unmade = new Map<string, () => void>();

  /** `make` enters what a user did. */
  prepare(uid: string, make: () => void): void {
    this.#unmade.set(uid, make);
  }

  /** To be called before anything is read that a user's past may be part of. */
  recall(uid: string): void {
    const make = this.#unmade.get(uid);
    if (make === undefined) return;
    // What makes it reads what it has entered.
    this.#unmade.delete(uid);
    make();
  }
}
