import { OperationTypeNode } from "graphql";
import type { Requester } from "../../datasources/index.js";
import { FairQueue } from "../../datasources/scheduler/fairQueue.js";
import type { Pause } from "./run.js";

/**
 * Where long executions wait between their slices. Each turn of the event loop goes on with one of them, of one client after
 * the other by their weights, so that whatever has arrived meanwhile waits for a slice and not for an answer.
 */
export class ExecutionTurns {
  readonly #waiting = new FairQueue<() => void>();
  #isBooked = false;

  /** Resolves when the next slice may be executed. */
  wait({ client, weight }: Pick<Requester, "client" | "weight">): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.add(client, resolve, weight);
      this.#book();
    });
  }

  /**
   * What an execution for this requester waits for between its slices. It ends where nobody wants it any more; a mutation goes
   * on, for what it has not written yet has happened all the same.
   */
  pausesFor(requester: Requester, kind: OperationTypeNode): Pause {
    return async () => {
      await this.wait(requester);
      const why = kind === OperationTypeNode.MUTATION ? undefined : await requester.refusal();
      if (why !== undefined) throw why;
    };
  }

  #book(): void {
    if (this.#isBooked) return;
    this.#isBooked = true;
    setImmediate(() => {
      this.#isBooked = false;
      this.#waiting.next()?.();
      if (this.#waiting.size > 0) this.#book();
    });
  }
}
