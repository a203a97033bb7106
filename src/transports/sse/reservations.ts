import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Clock } from "@exchange-graph/contract/clock";
import { ANONYMOUS_CLIENT } from "../../access/principal/clientPrincipal.js";
import type { Backlog } from "../../engine/subscriptions/subscriberSink.js";
import { SharedLine } from "./streamLine.js";

export interface ReservationLimits {
  /** Reservations at the same time, with or without an open stream. */
  readonly connections: number;
  /** Reservations of one client at the same time; without configured clients there is no such limit. */
  readonly connectionsPerClient: number;
  /** Operations at the same time on one stream. */
  readonly operations: number;
}

/** Time for which a reservation waits for its stream. */
const CLAIM_MS = 10_000;

/** One event stream for many operations. */
export class Reservation {
  readonly #lines = new Map<string, SharedLine>();
  readonly #backlog: Backlog = { bytes: 0 };
  #response: ServerResponse | undefined;

  constructor(
    private readonly operations: number,
    private readonly stopWaiting: () => void,
  ) {}

  get isOpen(): boolean {
    return this.#response !== undefined;
  }

  open(response: ServerResponse): void {
    this.stopWaiting();
    this.#response = response;
    // Each operation of a slow reader adds a `drain` listener.
    response.setMaxListeners(this.operations + 10);
    response.once("close", () => {
      for (const line of [...this.#lines.values()]) line.leave();
    });
  }

  /** A line for an operation, or the reason why there is none. */
  line(id: string): SharedLine | "not open" | "in use" | "full" {
    if (this.#response === undefined) return "not open";
    if (this.#lines.has(id)) return "in use";
    if (this.#lines.size >= this.operations) return "full";
    const line = new SharedLine(id, this.#response, this.#backlog);
    this.#lines.set(id, line);
    line.onceGone(() => this.#lines.delete(id));
    return line;
  }

  /** Ends an operation on request of the client. */
  leave(id: string): void {
    this.#lines.get(id)?.leave();
  }

  end(payload: string): void {
    for (const line of [...this.#lines.values()]) line.end(payload);
    this.#response?.end();
  }
}

/** Reserved streams, by random tokens. */
export class Reservations {
  readonly #all = new Map<string, { readonly principalId: string; readonly reservation: Reservation }>();

  constructor(
    private readonly clock: Clock,
    private readonly limits: ReservationLimits,
  ) {}

  /** Reserves a stream and returns its token; undefined if there are too many. */
  reserve(principalId: string): string | undefined {
    if (this.#all.size >= this.limits.connections || !this.#mayHoldMore(principalId)) return undefined;
    const name = randomUUID();
    const stopWaiting = this.clock.after(CLAIM_MS, () => this.#all.delete(name));
    this.#all.set(name, { principalId, reservation: new Reservation(this.limits.operations, stopWaiting) });
    return name;
  }

  #mayHoldMore(principalId: string): boolean {
    if (principalId === ANONYMOUS_CLIENT.id) return true;
    let held = 0;
    for (const one of this.#all.values()) if (one.principalId === principalId) held++;
    return held < this.limits.connectionsPerClient;
  }

  /** The client's reservation with this token. */
  find(name: string, principalId: string): Reservation | undefined {
    const found = this.#all.get(name);
    return found?.principalId === principalId ? found.reservation : undefined;
  }

  release(name: string): void {
    this.#all.delete(name);
  }
}
