import type { Source, Trace } from "../../datasources/reads/trace.js";
import type { Cost } from "../cost/costSum.js";

/** `extensions.exchange`: what was read from the exchange for an answer. Times in milliseconds. */
interface ExchangeExtension {
  /** Calls that left for the exchange because of this operation. */
  readonly upstreamCalls: number;
  readonly reads: readonly {
    readonly endpoint: string;
    /** Null for data that is nobody's own. */
    readonly account: string | null;
    readonly source: Source;
    readonly ageMs: number;
    readonly waitMs: number;
    readonly failed: boolean;
  }[];
  /** Reads that `reads` has no room for. */
  readonly omitted: number;
}

/** `extensions.cost`: what the operation could cost at most, and what it did cost. */
interface CostExtension {
  readonly estimated: Cost;
  readonly actual: Cost;
}

/** The extensions of an answer that shows what was read for it and, where it was admitted, what it cost. */
export function shownTrace(
  { reads, upstreamCalls, omitted }: Trace,
  estimated: Cost | undefined,
  data: string | undefined,
): { readonly exchange: ExchangeExtension; readonly cost?: CostExtension } {
  const shown = reads.map(({ endpoint, account = null, ...read }) => ({ endpoint, account, ...read }));
  const exchange = { upstreamCalls, reads: shown, omitted };
  if (estimated === undefined) return { exchange };
  const nodes = data === undefined ? 0 : nodesIn(JSON.parse(data));
  return { exchange, cost: { estimated, actual: { upstreamCalls, nodes } } };
}

/** How many objects an answer has. */
export function nodesIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + nodesIn(one), 0);
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, one) => sum + nodesIn(one), 1);
}
