import { exact, plain } from "@exchange-graph/contract/decimal";
import type { Fill } from "@exchange-graph/contract/fill";
import { isRead, type Row } from "@exchange-graph/contract/rows";
import { FUTURES_CATEGORIES, type FuturesCategory } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../../calls/index.js";
import { MAX_FIRST, type Reads, readFills, rowsOf, slicesOf } from "../../reads/index.js";
import { positionKey, tradedBy } from "./pastHoldings.js";
import type { PastPosition, PositionKey } from "./progress.js";

/** Executions of futures, summed up. */
interface PastTrades {
  /** By the end of their interval, Unix ms: what they have added to each position. */
  readonly byInterval: ReadonlyMap<number, readonly PastPosition[]>;
  /** Time of the latest one, Unix ms. */
  readonly latest: number | undefined;
}

/** An execution whose effect on a position is not known: the exchange's list does not say all of it. */
export class IncompleteExecution extends Error {
  override readonly name = "IncompleteExecution";
}

/**
 * Reads the executions after `after`, up to `to`, page by page, newest first. Only their sums are kept, for each position and interval:
 * memory depends on the number of positions, and not of executions. Rejects with `Fault`, or with `IncompleteExecution`.
 */
export async function readPastTrades(
  newReads: () => Reads,
  account: ExchangeAccount,
  { after, to, intervalOf }: { readonly after: number; readonly to: number; readonly intervalOf: (time: number) => number },
): Promise<PastTrades> {
  const sums = new Map<number, Map<string, PastPosition>>();
  let latest: number | undefined;
  for (const category of FUTURES_CATEGORIES)
    for await (const fill of fillsOf(newReads, account, category, { from: after + 1, to })) {
      if (!isRead(fill)) throw new IncompleteExecution(`an execution in ${category} could not be read`);
      const { createdTime: time } = fill;
      if (time === null) throw new IncompleteExecution(`an execution in ${category} has no time`);
      if (time <= after || time > to) continue;
      latest = Math.max(latest ?? time, time);
      const interval = sums.get(intervalOf(time)) ?? new Map<string, PastPosition>();
      sums.set(intervalOf(time), interval);
      add(interval, category, fill);
    }
  return { latest, byInterval: new Map([...sums].map(([at, byPosition]) => [at, [...byPosition.values()]])) };
}

async function* fillsOf(
  newReads: () => Reads,
  account: ExchangeAccount,
  category: FuturesCategory,
  range: { readonly from: number; readonly to: number },
): AsyncIterable<Row<Fill>> {
  const read = (after: string | undefined) => readFills(newReads(), account, { category }, { ...range, first: MAX_FIRST, after });
  for await (const slice of slicesOf(read)) yield* rowsOf(slice);
}

function add(sums: Map<string, PastPosition>, category: FuturesCategory, fill: Fill): void {
  const { side, price, qty, realisedPnl, symbol, holdMode, posSide } = fill;
  if ((side !== "buy" && side !== "sell") || price === null || qty === null)
    throw new IncompleteExecution(`an execution in ${category} lacks its side, price or quantity`);
  const key: PositionKey = { category, symbol, side: sideOf({ holdMode, posSide }) };
  const more = tradedBy(key, { side, price: exact(price), qty: exact(qty), realisedPnl: exact(realisedPnl ?? "0") });
  const former = sums.get(positionKey(key));
  sums.set(positionKey(key), {
    ...key,
    qty: plain(more.qty.plus(former?.qty ?? "0")),
    cost: plain(more.cost.plus(former?.cost ?? "0")),
  });
}

/** In one-way mode a symbol has one position, which may change its side. */
export const sideOf = ({ holdMode, posSide }: { readonly holdMode: string | null; readonly posSide: string | null }) =>
  holdMode === "hedge_mode" && (posSide === "long" || posSide === "short") ? posSide : "net";
