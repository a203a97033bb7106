import { liquidationChannel } from "@exchange-graph/contract/channels/liquidation";
import { classicTradeChannel, publicTradeChannel } from "@exchange-graph/contract/channels/publicTrade";
import { type Exact, plain } from "@exchange-graph/contract/decimal";
import type { FuturesCategory } from "@exchange-graph/contract/vocabulary";
import { statusAt } from "../../world/catalogue/instrument.js";
import { crowdLiquidation } from "../../world/market/crowd.js";
import { timeOf } from "../../world/market/listing.js";
import type { Market } from "../../world/market/market.js";
import type { Markets } from "../../world/market/markets.js";
import { houseTrade, type Trade } from "../../world/market/tape.js";
import { openedBy } from "../../world/positions/position.js";
import type { WorldEvent } from "../../world/worldEvents.js";
import { type MarketSource, marketFeed, type TopicFeed, wholeFeed } from "./topicFeed.js";

/** Number of trades in the first snapshot of a subscription, and the maximum of one push. */
const OPENING_TRADES = 100;

/** Public trades, newest first: generated ones with each tick, those of users at once. */
export const publicTradeFeeds = (markets: Markets): readonly TopicFeed[] => [
  marketFeed(markets, publicTradeChannel, (market) => new Trades(market, markets, unified)),
  marketFeed(markets, classicTradeChannel, (market) => new Trades(market, markets, classic)),
];

class Trades implements MarketSource {
  /** The last tick whose trade has been pushed. */
  #tick: number;

  constructor(
    private readonly market: Market,
    private readonly markets: Markets,
    private readonly render: (trade: Trade) => unknown,
  ) {
    this.#tick = markets.tick;
  }

  opening(): string {
    return this.#written(this.market.trades(this.#tick, OPENING_TRADES));
  }

  advance(): string | undefined {
    const trades = this.#houseTrades();
    return trades.length === 0 ? undefined : this.#written(trades);
  }

  notice(event: WorldEvent): string | undefined {
    if (event.kind !== "trade" || event.listing !== this.market.listing) return undefined;
    return this.#written([event.print, ...this.#houseTrades()]);
  }

  /** Generated trades since the last push. */
  #houseTrades(): readonly Trade[] {
    const present = this.markets.tick;
    const trades: Trade[] = [];
    for (let tick = present; tick > this.#tick && trades.length < OPENING_TRADES; tick--) {
      const trade = houseTrade(this.market.listing, tick);
      if (trade !== undefined) trades.push(trade);
    }
    this.#tick = Math.max(present, this.#tick);
    return trades;
  }

  #written(trades: readonly Trade[]): string {
    return JSON.stringify(trades.map(this.render));
  }
}

const unified = ({ execId, execLinkId, price, quantity, side, at }: Trade): unknown => ({
  p: plain(price),
  S: side,
  T: String(at),
  v: plain(quantity),
  i: execId,
  L: execLinkId,
  isRPI: "no",
});

const classic = ({ execId, price, quantity, side, at }: Trade): unknown => ({
  ts: String(at),
  price: plain(price),
  size: plain(quantity),
  side,
  tradeId: execId,
});

/** Liquidations, those of users and on some markets those of other participants: the largest per second, symbol and side. */
export const liquidationFeed = (crowded: readonly Market[], markets: Markets): TopicFeed =>
  wholeFeed(
    liquidationChannel,
    (_, { category }) => new Liquidations(category, crowded, markets),
    liquidationChannel.frequency.futures,
  );

interface Liquidated {
  readonly symbol: string;
  /** Side that opened the position: `buy` for a long one. */
  readonly side: string;
  readonly price: Exact;
  readonly size: Exact;
  readonly at: number;
}

/** Maximum period that one `advance` covers, in seconds. */
const LOOK_BACK_S = 60;

class Liquidations implements MarketSource {
  /** The largest per symbol and side since the last push. */
  readonly #largest = new Map<string, Liquidated>();

  #second: number;

  constructor(
    private readonly category: FuturesCategory,
    private readonly crowded: readonly Market[],
    private readonly markets: Markets,
  ) {
    this.#second = this.#present();
  }

  notice(event: WorldEvent): undefined {
    if (event.kind !== "liquidation" || event.position.category !== this.category) return undefined;
    const { position, price, size } = event;
    this.#note({ symbol: position.symbol, side: openedBy(position.side), price, size, at: position.updatedTime });
    return undefined;
  }

  advance(): string | undefined {
    this.#hearCrowd();
    if (this.#largest.size === 0) return undefined;
    const largest = [...this.#largest.values()].map(({ symbol, side, price, size, at }) => ({
      symbol,
      side,
      price: plain(price),
      amount: plain(size),
      ts: String(at),
    }));
    this.#largest.clear();
    return JSON.stringify(largest);
  }

  #note(liquidated: Liquidated): void {
    const key = `${liquidated.symbol} ${liquidated.side}`;
    if (this.#largest.get(key)?.size.gte(liquidated.size)) return;
    this.#largest.set(key, liquidated);
  }

  /** After a longer time without pushes only the last minute is covered. */
  #hearCrowd(): void {
    const present = this.#present();
    for (let second = Math.max(this.#second + 1, present - LOOK_BACK_S); second <= present; second++) {
      for (const { listing } of this.crowded) {
        const { category, symbol } = listing.instrument;
        if (category !== this.category || statusAt(listing.instrument, second * 1_000) !== "online") continue;
        const liquidated = crowdLiquidation(listing, second);
        if (liquidated !== undefined) this.#note({ symbol, at: second * 1_000, ...liquidated });
      }
    }
    this.#second = present;
  }

  #present(): number {
    return Math.floor(timeOf(this.markets.tick) / 1_000);
  }
}
