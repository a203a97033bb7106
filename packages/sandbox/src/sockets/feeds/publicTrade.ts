import { classicTradeChannel, publicTradeChannel } from "@exchange-graph/contract/channels/publicTrade";
import { plain } from "@exchange-graph/contract/decimal";
import type { Market } from "../../world/market/market.js";
import type { Markets } from "../../world/market/markets.js";
import { houseTrade, type Trade } from "../../world/market/tape.js";
import type { WorldEvent } from "../../world/worldEvents.js";
import { type MarketSource, marketFeed, type TopicFeed } from "./topicFeed.js";

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
