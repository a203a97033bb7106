import type { Clock } from "@exchange-graph/contract/clock";

/** Maximum wait of a stopping leader for another replica to be ready. */
const LEAVE_MS = 3_000;

/** Finds the next leader of a group. */
export class Succession {
  #found: ((replica: string) => void) | undefined;

  constructor(private readonly clock: Clock) {}

  /** Asks the other replicas. Resolves to the first one that is ready; undefined if none is in time. */
  successor(ask: () => void): Promise<string | undefined> {
    return new Promise((resolve) => {
      const end = (replica: string | undefined) => {
        cancel();
        this.#found = undefined;
        resolve(replica);
      };
      const cancel = this.clock.after(LEAVE_MS, () => end(undefined));
      this.#found = end;
      ask();
    });
  }

  ready(replica: string): void {
    this.#found?.(replica);
  }
}
