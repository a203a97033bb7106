import type { Clock } from "@exchange-graph/contract/clock";
import type { OperationToken, Origin } from "../../instrumentation/events.js";

/** More requests than are ever under way at once, and some that have just ended. */
const MAX_REQUESTS = 10_000;

/** A value and the trace in which it was met. */
export interface Exemplar {
  readonly labelSet: { readonly trace_id: string };
  readonly value: number;
  /** Unix time, s. */
  readonly timestamp: number;
}

/** Which requests and operations are recorded in which trace: lines of the log and exemplars of metrics name it. */
export class TraceIds {
  /** By request. A full one becomes the former one, whose place it takes: that costs less than to forget them one by one. */
  #ofRequests = new Map<string, string>();
  #ofFormerRequests: ReadonlyMap<string, string> = new Map();

  constructor(private readonly clock: Clock) {}

  /** A value as an example of its bucket, with the trace in which it was met; `undefined` where that is not recorded. */
  exemplar(traceId: string | undefined, value: number): Exemplar | undefined {
    return traceId === undefined ? undefined : { labelSet: { trace_id: traceId }, value, timestamp: this.clock.now() / 1_000 };
  }

  add(origin: Origin, traceId: string): void {
    // All messages of one socket have one request.
    if (origin.over !== "websocket") this.#addRequest(origin.requestId, traceId);
    origin.traceId = traceId;
  }

  /** The trace of a request; `undefined` where it is not recorded, and for sockets, whose messages have a trace each. */
  ofRequest(requestId: string): string | undefined {
    return this.#ofRequests.get(requestId) ?? this.#ofFormerRequests.get(requestId);
  }

  /** The trace of the operation that has this origin; `undefined` where it is not recorded. */
  ofOrigin({ traceId }: Origin): string | undefined {
    return traceId;
  }

  /** The trace of an operation; `undefined` where it is not recorded. */
  ofOperation(operation: OperationToken | undefined): string | undefined {
    return operation?.recording?.traceId;
  }

  #addRequest(requestId: string, traceId: string): void {
    if (this.#ofRequests.size >= MAX_REQUESTS) {
      this.#ofFormerRequests = this.#ofRequests;
      this.#ofRequests = new Map();
    }
    this.#ofRequests.set(requestId, traceId);
  }
}
