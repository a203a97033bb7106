import { isTraceparent } from "../../instrumentation/traceparent.js";

/** A valid trace context of a client; `undefined` otherwise, and the operation starts its own trace. */
export const traceparentIn = (sent: unknown): string | undefined =>
  typeof sent === "string" && isTraceparent(sent) ? sent : undefined;
