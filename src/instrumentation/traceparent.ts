/** A trace context of W3C, version 00: trace, span, flags. Ids of zeros alone mean none. */
const TRACEPARENT = /^00-((?!0{32})[\da-f]{32})-((?!0{16})[\da-f]{16})-([\da-f]{2})$/;

/** What a trace context says. */
interface Traceparent {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

/** Reads a trace context; `undefined` where it is none. */
export function traceparentOf(text: string): Traceparent | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) };
}

/** Writes one. */
export const traceparentText = ({ traceId, spanId, traceFlags }: Traceparent): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;

/** Is it a trace context? */
export const isTraceparent = (text: string): boolean => TRACEPARENT.test(text);
