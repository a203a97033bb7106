import { OperationTypeNode } from "graphql";
import type { Requester } from "../../datasources/index.js";
import { FairQueue } from "../../datasources/scheduler/fairQueue.js";
import type { Pause } from "./run.js";

/**
 * Schedules the slices of long executions. Each turn of the event loop runs one slice, alternating between clients by their
 * weights, so that new requests wait for a slice at most, not for an entire answer.
 */
export class ExecutionTurns {
  readonly #waiting = new FairQueue<() => void>();
  #isBooked = false;

  /** Resolves when the next slice may run. */
  wait({ client, weight }: Pick<Requester, "client" | "weight">): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.add(client, resolve, weight);
      this.#book();
    });
  }

  /**
   * Returns the pause of an execution. It rejects when no client waits any more, except for a mutation, whose writes must all be
   * carried out.
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
