import { convertQuote } from "@exchange-graph/contract/convert";
import { exact, plain } from "@exchange-graph/contract/decimal";
import type { FuturesCategory, ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { SandboxExchange } from "../../src/sandboxExchange.js";
import type { Order } from "../../src/world/orders/order.js";
import type { Plan } from "../../src/world/plans/plan.js";
import type { Position } from "../../src/world/positions/position.js";
import type { Random } from "../../src/world/random.js";
import { contractOf } from "../../src/world/state.js";
import type { Caller } from "./clientPrincipal.js";

export const FUTURES: readonly [readonly [FuturesCategory, string], ...(readonly [FuturesCategory, string])[]] = [
  ["USDT-FUTURES", "BTCUSDT"],
  ["USDT-FUTURES", "SOLUSDT"],
  ["COIN-FUTURES", "BTCUSD"],
  ["USDC-FUTURES", "ETHPERP"],
];
export const SPOT = ["BTCUSDT", "ETHBTC", "LTCUSDT"] as const;
const COINS = ["USDT", "BTC", "ETH", "USDC", "SOL", "XRP"] as const;

/** Where a player's values come from: random numbers, and the state of the account. */
export class Draw {
  constructor(
    readonly random: Random,
    readonly exchange: SandboxExchange,
    readonly caller: Caller,
    readonly uid: string,
  ) {}

  get side() {
    return this.random.pick(["buy", "sell"] as const);
  }

  get orderType() {
    return this.random.oneIn(3) ? "market" : "limit";
  }

  get force() {
    return this.random.pick(["gtc", "gtc", "gtc", "ioc", "fok", "post_only"] as const);
  }

  get stpMode() {
    return this.random.pick(["none", "cancel_taker", "cancel_maker", "cancel_both"] as const);
  }

  get coin() {
    return this.random.pick(COINS);
  }

  /** A client's id, now and then one that is taken. */
  get clientOid(): string | undefined {
    return this.random.oneIn(6) ? `id-${this.random.between(0, 30)}` : undefined;
  }

  maybe<T>(times: number, value: () => T): T | undefined {
    return this.random.oneIn(times) ? value() : undefined;
  }

  /** An open order of the account, if it has any, of some categories. */
  order(...categories: readonly ProductCategory[]): Order | undefined {
    const open = [...this.exchange.world.state.orders.open(this.uid)];
    return this.random.pick(open.filter(({ category }) => categories.length === 0 || categories.includes(category)));
  }

  position(): Position | undefined {
    return this.random.pick([...this.exchange.world.state.positions.open(this.uid)]);
  }

  plan(): Plan | undefined {
    return this.random.pick(this.exchange.world.planStore.waiting(this.uid));
  }

  /** A contract: one that a position is held in, or any. */
  contract() {
    const [category, symbol] = this.random.pick(FUTURES);
    const { marginCoin } = contractOf(this.exchange.world.state, category, symbol).contract;
    return { category, symbol, marginCoin };
  }

  /** Within 0.6 % of the market, now and then with too many decimals. */
  price(category: ProductCategory, symbol: string): string {
    const { markets } = this.exchange.world.state;
    const { listing } = markets.of(category, symbol);
    const steps = listing.steps(markets.tick);
    const price = listing.grid.price(steps + Math.floor((steps * this.random.between(-60, 60)) / 10_000));
    return plain(this.random.oneIn(40) ? price.plus("0.0000000001") : price);
  }

  /** Of a few thousand dollars, now and then of two million. */
  quantity(category: ProductCategory, symbol: string): string {
    const { markets } = this.exchange.world.state;
    const { listing } = markets.of(category, symbol);
    const value = exact(String(this.random.oneIn(20) ? 2_000_000 : this.random.between(5, 6_000)));
    return plain(listing.grid.floored(value.div(markets.usdtPrice(listing.instrument.baseCoin) ?? "1")));
  }

  /** What a market buy on spot spends. */
  spending(symbol: string): string {
    return symbol.endsWith("BTC") ? "0.01" : String(this.random.between(1, 4_000));
  }

  /** A part of what there is of a coin, now and then more than all. */
  partOf(amount: string): string {
    return plain(
      exact(amount)
        .times(exact(String(this.random.between(1, 110))))
        .div("100")
        .round(8),
    );
  }

  /** The terms of a quotation that was just asked for; of none where it was refused. */
  quote(): Readonly<Record<string, string>> {
    const asked = { fromCoin: this.coin, toCoin: this.coin, fromCoinSize: this.partOf("3") };
    const { code, data } = this.caller.get(convertQuote, this.uid, asked);
    if (code !== "00000") return { ...asked, cnvtPrice: "1", toCoinSize: "1", traceId: "1" };
    const { fromCoin, toCoin, fromAmount, toAmount, price, traceId } = convertQuote.data.decode(data());
    return { fromCoin, toCoin, fromCoinSize: fromAmount, toCoinSize: toAmount, cnvtPrice: price, traceId };
  }
}
