import type { ReadSource, Trace } from "../../datasources/reads/index.js";
import type { Cost, FieldShare } from "../cost/costSum.js";
import type { Admission } from "../cost/operationCosts.js";

/** `extensions.exchange`: the reads from the exchange for an answer. Times in milliseconds. */
interface ExchangeExtension {
  /** Calls that this operation caused. */
  readonly upstreamCalls: number;
  readonly reads: readonly {
    readonly endpoint: string;
    /** Null for public data. */
    readonly account: string | null;
    readonly source: ReadSource;
    readonly ageMs: number;
    /** ISO 8601; null unless the source is an account's streams. */
    readonly comparedAt: string | null;
    readonly waitMs: number;
    readonly failed: boolean;
  }[];
  /** Number of reads beyond the maximum length of `reads`. */
  readonly omitted: number;
}

/** `extensions.cost`: estimated maximum and actual cost of the operation. */
interface CostExtension {
  readonly estimated: Cost;
  readonly actual: Cost;
  /** The estimate by field, by its coordinate, the most calls first. */
  readonly fields: readonly FieldShare[];
}

/** The extensions of a traced answer: its reads and, if it was admitted, its cost. */
export function shownTrace(
  { reads, upstreamCalls, omitted }: Trace,
  admission: Pick<Admission, "estimate" | "shares"> | undefined,
  data: string | undefined,
): { readonly exchange: ExchangeExtension; readonly cost?: CostExtension } {
  const shown = reads.map(({ endpoint, account = null, comparedAt, ...read }) => ({
    endpoint,
    account,
    ...read,
    comparedAt: comparedAt === undefined ? null : new Date(comparedAt).toISOString(),
  }));
  const exchange = { upstreamCalls, reads: shown, omitted };
  if (admission === undefined) return { exchange };
  const nodes = data === undefined ? 0 : nodesIn(JSON.parse(data));
  return { exchange, cost: { estimated: admission.estimate, actual: { upstreamCalls, nodes }, fields: admission.shares() } };
}

export function nodesIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + nodesIn(one), 0);
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, one) => sum + nodesIn(one), 1);
}
