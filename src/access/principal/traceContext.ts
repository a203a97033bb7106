import type { IncomingMessage } from "node:http";
import type { Origin } from "../../instrumentation/events.js";

/** A trace context of W3C, version 00: trace, span, flags. Ids of zeros alone mean none. */
const TRACEPARENT = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/** A trace context that a client has sent; `undefined` where it is none: then the operation begins a trace of its own. */
export const traceparentIn = (sent: unknown): string | undefined =>
  typeof sent === "string" && TRACEPARENT.test(sent) ? sent : undefined;

/** The trace context of a request. */
export const traceContextOf = ({ headers }: Pick<IncomingMessage, "headers">): Pick<Origin, "traceparent"> => ({
  traceparent: traceparentIn(headers.traceparent),
});
