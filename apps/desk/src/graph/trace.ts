/** Age and sources of an answer. */
export interface Origin {
  readonly ageMs: number;
  /** Sources of its reads, for example `REST` or `CACHE + STREAM`; `GATEWAY` without reads. */
  readonly source: string;
  /**
   * When the account's state that was answered from streams was last compared with the exchange, the earliest time, Unix ms;
   * undefined without such state.
   */
  readonly comparedAt: number | undefined;
}

/** A member of an unknown value; undefined if it is not an object or does not have it. */
const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

/** Sources that are cached for minutes by design: their age does not apply to the figures beside them. */
const LASTING = new Set<unknown>([
  "accountSettings",
  "instruments",
  "spotSymbols",
  "futuresSymbols",
  "marginPairs",
  "positionTiers",
]);

/** Reads the trace of an answer. */
export function traceOf(extensions: unknown): Origin {
  const reads = member(member(extensions, "exchange"), "reads");
  let ageMs = 0;
  const sources = new Set<string>();
  const compared: number[] = [];
  for (const read of Array.isArray(reads) ? reads : []) {
    const [source, age] = [member(read, "source"), member(read, "ageMs")];
    if (typeof source !== "string" || typeof age !== "number" || LASTING.has(member(read, "endpoint"))) continue;
    sources.add(source === "SHARED" ? "REST" : source);
    ageMs = Math.max(ageMs, age);
    const at = member(read, "comparedAt");
    if (typeof at === "string") compared.push(Date.parse(at));
  }
  const comparedAt = compared.length === 0 ? undefined : Math.min(...compared);
  return { ageMs, comparedAt, source: sources.size === 0 ? "GATEWAY" : [...sources].sort().join(" + ") };
}
