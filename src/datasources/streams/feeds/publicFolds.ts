import type { Candle } from "@exchange-graph/contract/candle";
import type { Liquidation } from "@exchange-graph/contract/channels/liquidation";
import type { StreamedTicker } from "@exchange-graph/contract/channels/ticker";
import type { PublicTrade } from "@exchange-graph/contract/publicTrade";
import { growingLru } from "../../errors/index.js";
import { isSame } from "../state/merge.js";
import { type Fold, isLate } from "./channelFeed.js";
import { updateOf } from "./feed.js";

/** The last ticker; a late one is ignored. */
export function tickerFold(): Fold<StreamedTicker, StreamedTicker> {
  let last: StreamedTicker | undefined;
  return {
    accept([ticker], _push, afterGap) {
      if (ticker === undefined || (!afterGap && last !== undefined && isLate(ticker.time, last.time))) return undefined;
      last = ticker;
      return { kind: "snapshot", value: ticker };
    },
    current: () => last,
    unchanged: () => (last === undefined ? undefined : { kind: "snapshot", value: last }),
  };
}

/** Number of trades in a snapshot. */
const SHOWN_TRADES = 100;
/** Trades that are remembered, so that none is emitted twice. */
const REMEMBERED_TRADES = 2_000;

/**
 * Trades, newest first, each emitted once. After a gap the exchange's list of latest trades fills it if the list overlaps with
 * emitted trades; otherwise it is emitted as a snapshot.
 */
export function tradesFold(): Fold<PublicTrade, readonly PublicTrade[]> {
  const seen = growingLru<true>(REMEMBERED_TRADES);
  let latest: readonly PublicTrade[] = [];
  return {
    accept(items, push, afterGap) {
      const fresh = items.filter(({ execId }) => !seen.has(execId));
      for (const { execId } of fresh) seen.set(execId, true);
      const isBeginning = latest.length === 0 || (afterGap && fresh.length > 0 && fresh.length === items.length);
      latest = [...fresh, ...(isBeginning ? [] : latest)].slice(0, SHOWN_TRADES);
      if (isBeginning && push.action === "snapshot") return { kind: "snapshot", value: latest };
      return updateOf(fresh);
    },
    current: () => (latest.length === 0 ? undefined : latest),
    unchanged: () => ({ kind: "update", value: [] }),
  };
}

/** Liquidations that are remembered: they have no id, and one connection may replace another. */
const REMEMBERED_LIQUIDATIONS = 500;

/** Liquidations, each emitted once. There is no snapshot. */
export function liquidationsFold(): Fold<Liquidation, readonly Liquidation[]> {
  const seen = growingLru<true>(REMEMBERED_LIQUIDATIONS);
  return {
    accept(items) {
      const fresh = items.filter(({ symbol, sideRaw, price, qty, time }) => {
        const key = `${symbol} ${sideRaw} ${price} ${qty} ${time}`;
        const isNew = !seen.has(key);
        seen.set(key, true);
        return isNew;
      });
      return updateOf(fresh);
    },
    current: () => undefined,
    unchanged: () => ({ kind: "update", value: [] }),
  };
}

/** Number of kept candles: that of the exchange's snapshot. */
const KEPT_CANDLES = 500;

/** Candles, oldest first; an update has the changed ones. */
export function candlesFold(): Fold<Candle, readonly Candle[]> {
  let rows: readonly Candle[] = [];
  let pushedAt = 0;
  return {
    accept(items, push, afterGap) {
      if (!afterGap && isLate(push.time, pushedAt)) return undefined;
      pushedAt = push.time ?? pushedAt;
      const isBeginning = rows.length === 0 || (afterGap && push.action === "snapshot");
      const byStart = new Map((isBeginning ? [] : rows).map((row) => [row.startTime, row]));
      const changed = items.filter((row) => !isSame(row, byStart.get(row.startTime) ?? {}));
      if (changed.length === 0) return undefined;
      for (const row of changed) byStart.set(row.startTime, row);
      rows = [...byStart.values()].sort((a, b) => a.startTime - b.startTime).slice(-KEPT_CANDLES);
      return isBeginning ? { kind: "snapshot", value: rows } : { kind: "update", value: changed };
    },
    current: () => (rows.length === 0 ? undefined : rows),
    unchanged: () => ({ kind: "update", value: [] }),
  };
}
