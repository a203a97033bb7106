import type { Candle } from "@exchange-graph/contract/candle";
import type { Liquidation } from "@exchange-graph/contract/channels/liquidation";
import type { StreamedTicker } from "@exchange-graph/contract/channels/ticker";
import type { PublicTrade } from "@exchange-graph/contract/publicTrade";
import { growingLru } from "../../cache/lru.js";
import type { Fold } from "./channelFeed.js";

const isEarlier = ({ time: one }: StreamedTicker, { time: other }: StreamedTicker): boolean =>
  one !== null && other !== null && one < other;

/** The last ticker; one that is older than it is no news. */
export function tickerFold(): Fold<StreamedTicker, StreamedTicker> {
  let last: StreamedTicker | undefined;
  return {
    accept([ticker]) {
      if (ticker === undefined || (last !== undefined && isEarlier(ticker, last))) return undefined;
      last = ticker;
      return { kind: "snapshot", value: ticker };
    },
    current: () => last,
    unchanged: () => (last === undefined ? undefined : { kind: "snapshot", value: last }),
  };
}

/** Trades that a newcomer is shown. */
const SHOWN_TRADES = 100;
/** Trades that are remembered, so that none is reported twice. */
const KNOWN_TRADES = 2_000;

/**
 * Trades, newest first, each once. After a gap the exchange's list of latest trades closes it, if it reaches back to
 * one that was reported; if it does not, the list is reported as a new beginning.
 */
export function tradesFold(): Fold<PublicTrade, readonly PublicTrade[]> {
  const known = growingLru<true>(KNOWN_TRADES);
  let latest: readonly PublicTrade[] = [];
  return {
    accept(items, push, afterGap) {
      const fresh = items.filter(({ execId }) => !known.has(execId));
      for (const { execId } of fresh) known.set(execId, true);
      const isBeginning = latest.length === 0 || (afterGap && fresh.length > 0 && fresh.length === items.length);
      latest = [...fresh, ...(isBeginning ? [] : latest)].slice(0, SHOWN_TRADES);
      if (isBeginning && push.action === "snapshot") return { kind: "snapshot", value: latest };
      return fresh.length === 0 ? undefined : { kind: "update", value: fresh };
    },
    current: () => (latest.length === 0 ? undefined : latest),
    unchanged: () => ({ kind: "update", value: [] }),
  };
}

/** Liquidations that are remembered: they carry no id, and one connection may take over from another. */
const KNOWN_LIQUIDATIONS = 500;

/** Liquidations, each once. They have no state that a newcomer could get. */
export function liquidationsFold(): Fold<Liquidation, readonly Liquidation[]> {
  const known = growingLru<true>(KNOWN_LIQUIDATIONS);
  return {
    accept(items) {
      const fresh = items.filter(({ symbol, sideRaw, price, qty, time }) => {
        const key = `${symbol} ${sideRaw} ${price} ${qty} ${time}`;
        const isNew = !known.has(key);
        known.set(key, true);
        return isNew;
      });
      return fresh.length === 0 ? undefined : { kind: "update", value: fresh };
    },
    current: () => undefined,
    unchanged: () => ({ kind: "update", value: [] }),
  };
}

/** Candles that are kept: as many as the exchange's snapshot has. */
const KEPT_CANDLES = 500;

/** Candles, oldest first; an update has those that changed. */
export function candlesFold(): Fold<Candle, readonly Candle[]> {
  let rows: readonly Candle[] = [];
  let pushedAt = 0;
  return {
    accept(items, push, afterGap) {
      if (push.time !== null && push.time < pushedAt) return undefined;
      pushedAt = push.time ?? pushedAt;
      const isBeginning = rows.length === 0 || (afterGap && push.action === "snapshot");
      const byStart = new Map((isBeginning ? [] : rows).map((row) => [row.start, row]));
      const changed = items.filter((row) => !isSame(row, byStart.get(row.start)));
      if (changed.length === 0) return undefined;
      for (const row of changed) byStart.set(row.start, row);
      rows = [...byStart.values()].sort((a, b) => a.start - b.start).slice(-KEPT_CANDLES);
      return isBeginning ? { kind: "snapshot", value: rows } : { kind: "update", value: changed };
    },
    current: () => (rows.length === 0 ? undefined : rows),
    unchanged: () => ({ kind: "update", value: [] }),
  };
}

const isSame = (a: Candle, b: Candle | undefined): boolean =>
  b !== undefined &&
  a.close === b.close &&
  a.volume === b.volume &&
  a.turnover === b.turnover &&
  a.high === b.high &&
  a.low === b.low &&
  a.open === b.open;
