import { HOUR_MS } from "@exchange-graph/contract/clock";
import { exact, plain } from "@exchange-graph/contract/decimal";
import type { Position } from "@exchange-graph/contract/position";
import { isRead, type Row } from "@exchange-graph/contract/rows";
import type { ExchangeAccount } from "../../calls/index.js";
import { costOf, type Reads, readPositions } from "../../reads/index.js";
import type { BalanceRecords } from "../balanceRecords.js";
import { AROUND_MS, changesBefore } from "../change.js";
import type { HistoryStore } from "../historyStore.js";
import { isGap, type Point, pointIn } from "../point.js";
import { Past } from "./pastHoldings.js";
import { IncompleteExecution, readPastTrades, sideOf } from "./pastTrades.js";
import type { Holdings, PastPosition } from "./progress.js";

/** Number of stored points that are searched for the first two samples. */
const LOOKED_AT = 1_000;

/** The first recorded sample of an account, and the next one, which shows which changes the first one contains. */
export interface FirstSamples {
  readonly first: Point;
  readonly second: Point;
}

/** Undefined as long as there are no two samples. Single minutes are forgotten before hours are. */
export async function firstSamplesOf(store: Pick<HistoryStore, "points">, user: string): Promise<FirstSamples | undefined> {
  const samples = async (resolution: "MINUTE" | "HOUR") => {
    const rows = await store.points(user, resolution, { after: 0, to: Number.MAX_SAFE_INTEGER, limit: LOOKED_AT });
    return rows.map(pointIn).filter((point): point is Point => !isGap(point));
  };
  const [minutes, hours] = [await samples("MINUTE"), await samples("HOUR")];
  const isForgotten = hours[0] !== undefined && minutes[0] !== undefined && minutes[0].at > hours[0].at;
  const [first, second] = isForgotten || minutes.length === 0 ? hours : minutes;
  return first === undefined || second === undefined ? undefined : { first, second };
}

/** The time before the first sample from which on changes are taken back by their time alone, Unix ms. */
export function startOf({ first }: FirstSamples): number {
  const at = Math.min(first.time - AROUND_MS, first.at - 1);
  // Holdings at the end of an hour can only be computed from a time after it.
  return at % HOUR_MS === 0 ? at + 1 : at;
}

/**
 * What the account held at `startOf`: the balances of the first sample less the changes of the moments before it, and its present
 * positions less the executions since. Undefined while it trades, because it is not certain which executions its positions contain;
 * with `isForced` the exchange's times decide. Rejects with `Fault`, or `IncompleteExecution`.
 */
export async function holdingsAt(
  beginning: FirstSamples,
  {
    user,
    account,
    ledger,
    newReads,
    isForced,
  }: {
    readonly user: string;
    readonly account: ExchangeAccount;
    readonly ledger: Pick<BalanceRecords, "changes">;
    readonly newReads: () => Reads;
    readonly isForced: boolean;
  },
): Promise<Holdings | undefined> {
  const { first, second } = beginning;
  const start = startOf(beginning);
  const reads = newReads();
  const readAt = reads.now();
  const positions = await readPositions(reads, account, {});
  const to = isForced ? readAt : newReads().now();
  const trades = await readPastTrades(newReads, account, { after: start, to, intervalOf: () => start });
  const isMoving = trades.latest !== undefined && trades.latest > readAt - AROUND_MS;
  if (isMoving && !isForced) return undefined;
  const past = new Past({ purses: first.coins, exposures: positions.map(exposureOf) });
  for (const one of trades.byInterval.get(start) ?? []) past.undoTrades(one);
  const changes = await ledger.changes(user, start, second.time + AROUND_MS);
  if (changes === undefined) return undefined;
  for (const change of changesBefore(first, second, changes).toReversed()) past.undo(change);
  return past.holdings;
}

/** The exchange writes a position's average price cut off; its cost follows from its profit. */
function exposureOf(position: Row<Position>): PastPosition {
  if (!isRead(position) || position.category === "UNKNOWN" || position.qty === null || position.avgPrice === null)
    throw new IncompleteExecution("an open position could not be read");
  const { category, symbol, posSide, qty, avgPrice } = position;
  const size = exact(qty).abs();
  const cost = costOf(position) ?? size.times(avgPrice);
  const [signedSize, signedCost] = posSide === "short" ? [size.neg(), cost.neg()] : [size, cost];
  return { category, symbol, side: sideOf(position), qty: plain(signedSize), cost: plain(signedCost) };
}

/** The hour that contains a time begins here. */
export const hourBefore = (time: number): number => Math.ceil(time / HOUR_MS) * HOUR_MS - HOUR_MS;
