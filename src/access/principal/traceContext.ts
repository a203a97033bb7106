import type { IncomingMessage } from "node:http";
import type { Origin } from "../../instrumentation/events.js";
import { isTraceparent } from "../../instrumentation/traceparent.js";

/** A valid trace context of a client; `undefined` otherwise, and the operation starts its own trace. */
export const traceparentIn = (sent: unknown): string | undefined =>
  typeof sent === "string" && isTraceparent(sent) ? sent : undefined;

/** The trace context of a request. */
export const traceContextOf = ({ headers }: Pick<IncomingMessage, "headers">): Pick<Origin, "traceparent"> => ({
  traceparent: traceparentIn(headers.traceparent),
});
