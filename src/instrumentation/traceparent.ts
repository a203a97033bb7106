/** A W3C trace context, version 00: trace, span, flags. An id of zeros is invalid. */
const TRACEPARENT = /^00-((?!0{32})[\da-f]{32})-((?!0{16})[\da-f]{16})-([\da-f]{2})$/;

interface Traceparent {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

/** Parses a trace context; `undefined` if it is invalid. */
export function traceparentOf(text: string): Traceparent | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) };
}

export const traceparentText = ({ traceId, spanId, traceFlags }: Traceparent): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;

/** A valid trace context that a client has sent; `undefined` otherwise, and the operation starts its own trace. */
export const traceparentIn = (sent: unknown): string | undefined =>
  typeof sent === "string" && TRACEPARENT.test(sent) ? sent : undefined;
