import type { IncomingMessage } from "node:http";
import type { Origin } from "../../instrumentation/events.js";
import { isTraceparent } from "../../instrumentation/traceparent.js";

/** A trace context that a client has sent; `undefined` where it is none: then the operation begins a trace of its own. */
export const traceparentIn = (sent: unknown): string | undefined =>
  typeof sent === "string" && isTraceparent(sent) ? sent : undefined;

/** The trace context of a request. */
export const traceContextOf = ({ headers }: Pick<IncomingMessage, "headers">): Pick<Origin, "traceparent"> => ({
  traceparent: traceparentIn(headers.traceparent),
});
