/** How old an answer is, and where it came from. */
export interface Origin {
  readonly ageMs: number;
  /** Sources of its reads, for example `REST` or `CACHE + STREAM`; `GATEWAY` where nothing was read. */
  readonly source: string;
}

/** A member of something from outside; undefined where it is no object or has none. */
const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

/** Terms that are kept for minutes on purpose: their age says nothing about the numbers beside them. */
const LASTING = new Set<unknown>([
  "accountSettings",
  "instruments",
  "spotSymbols",
  "futuresSymbols",
  "marginPairs",
  "positionTiers",
]);

/** Reads the trace that an answer carries. */
export function traceOf(extensions: unknown): Origin {
  const reads = member(member(extensions, "exchange"), "reads");
  let ageMs = 0;
  const sources = new Set<string>();
  for (const read of Array.isArray(reads) ? reads : []) {
    const [source, age] = [member(read, "source"), member(read, "ageMs")];
    if (typeof source !== "string" || typeof age !== "number" || LASTING.has(member(read, "endpoint"))) continue;
    sources.add(source === "SHARED" ? "REST" : source);
    ageMs = Math.max(ageMs, age);
  }
  return { ageMs, source: sources.size === 0 ? "GATEWAY" : [...sources].sort().join(" + ") };
}
