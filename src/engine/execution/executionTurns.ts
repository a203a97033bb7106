import type { Clock } from "@exchange-graph/contract/clock";
import { OperationTypeNode } from "graphql";
import { FairQueue } from "../../datasources/calls/index.js";
import type { Requester } from "../../datasources/index.js";
import type { Pause } from "./run.js";

/** Time in one turn of the event loop in which work of clients may begin, in ms. Later work waits for another turn. */
const TURN_MS = 2;
/** Maximum number of waiting tasks that begin in one turn. */
const STARTS_PER_TURN = 32;

type Client = Pick<Requester, "client" | "weight">;

interface Work {
  readonly begin: () => void;
  /** Whether it may take a whole turn: then nothing else begins in that turn. */
  readonly isSlice: boolean;
}

/**
 * Shares the event loop among clients. Slices of long executions run one per turn of the event loop. Short tasks, such as a message
 * of a client or an event of a stream, begin at once while the turn has time left. Waiting tasks alternate between clients by their
 * weights, so that a new request waits for a few milliseconds, not for all work of another client.
 */
export class ExecutionTurns {
  readonly #waiting = new FairQueue<Work>();
  #isBooked = false;
  /** Until when work may begin in the current turn of the event loop, Unix ms; undefined if none has begun. */
  #until: number | undefined;

  constructor(private readonly clock: Pick<Clock, "now">) {}

  /** Resolves when the next slice may run. */
  wait(client: Client): Promise<void> {
    return this.#add(client, true);
  }

  /** Undefined if a short task may begin at once; otherwise resolves when it may. */
  begin(client: Client): Promise<void> | undefined {
    return !this.#isBooked && this.#hasTime() ? undefined : this.#add(client, false);
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

  #add({ client, weight }: Client, isSlice: boolean): Promise<void> {
    return new Promise((begin) => {
      this.#waiting.add(client, { begin, isSlice }, weight);
      if (!this.#isBooked) this.#book();
    });
  }

  /** Node.js runs the microtasks of an immediate before the next one, so each task is done before the next one begins. */
  #book(): void {
    this.#isBooked = true;
    let isOver = false;
    const starts = Math.min(STARTS_PER_TURN, this.#waiting.size);
    for (let left = starts - 1; left >= 0; left--)
      setImmediate(() => {
        if (!isOver && this.#hasTime()) {
          const work = this.#waiting.next();
          isOver = work?.isSlice !== false;
          work?.begin();
        }
        if (left > 0) return;
        this.#isBooked = false;
        if (this.#waiting.size > 0) this.#book();
      });
  }

  #hasTime(): boolean {
    if (this.#until === undefined) {
      this.#until = this.clock.now() + TURN_MS;
      setImmediate(() => {
        this.#until = undefined;
      });
    }
    return this.clock.now() < this.#until;
  }
}
