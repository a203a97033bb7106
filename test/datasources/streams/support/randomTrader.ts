import { exact } from "@exchange-graph/contract/decimal";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import { Refused } from "@exchange-graph/sandbox/refused";
import { CLASSIC_UID, MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import type { Strategy } from "@exchange-graph/sandbox/world/plans/plan";
import type { World } from "@exchange-graph/sandbox/world/world";

interface Placed {
  readonly uid: string;
  readonly category: ProductCategory;
  readonly orderId: string;
}

/** What it trades in. */
export const CONTRACTS = [
  { category: "USDT-FUTURES", symbol: "BTCUSDT", unit: "0.003" },
  { category: "USDT-FUTURES", symbol: "ETHUSDT", unit: "0.07" },
  { category: "USDC-FUTURES", symbol: "BTCPERP", unit: "0.002" },
  { category: "COIN-FUTURES", symbol: "BTCUSD", unit: "0.004" },
] as const;
/** Orders of one trader that are open at once. */
const MAX_OPEN = 12;
/** The roll of the dice that means a transfer. */
const TRANSFER = 19;
/** Leverages: with the last one a position is liquidated sooner or later. */
const LEVERAGES = [3, 10, 20, 100] as const;

/** Trades, changes settings and moves coins on both accounts as dice fall. Whatever the exchange refuses is no step. */
export class RandomTrader {
  readonly #placed: Placed[] = [];
  /** How often each thing was done. */
  readonly done: Record<string, number> = {};

  constructor(
    private readonly world: World,
    private readonly random: (below: number) => number,
  ) {}

  /** Does one thing: this, or what the dice say. */
  act(what?: "transfer" | "liquidation"): void {
    const { random } = this;
    const uid = random(2) === 0 ? MAIN_UID : CLASSIC_UID;
    this.world.advance();
    try {
      if (what === "liquidation" || (what === undefined && random(80) === 0)) this.#liquidate(uid);
      else this.#one(uid, what === "transfer" ? TRANSFER : random(20));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#note("refused");
    }
  }

  #one(uid: string, dice: number): void {
    if (dice === 4 && uid === MAIN_UID) this.#strategy(uid);
    else if (dice < 5 || this.#placed.length > MAX_OPEN) this.#cancel();
    else if (dice < 8) this.#spot(uid);
    else if (dice < 14) this.#futures(uid);
    else if (dice < 16) this.#close(uid);
    else if (dice < 17) this.#leverage(uid);
    else if (dice < 18) this.#margin(uid);
    else if (dice < TRANSFER) this.#placeTpsl(uid);
    else this.#transfer(uid);
  }

  #note(what: string): void {
    this.done[what] = (this.done[what] ?? 0) + 1;
  }

  #cancel(): void {
    const [known] = this.#placed.splice(this.random(Math.max(1, this.#placed.length)), 1);
    if (known === undefined) return;
    const { uid, category, orderId } = known;
    if (![...this.world.state.orders.open(uid)].some((order) => order.orderId === orderId)) return;
    this.world.orders.cancel(uid, category, { orderId });
    this.#note("cancelled");
  }

  /** A price that is some way below the market, or above it. */
  #price(category: ProductCategory, symbol: string, isBelow: boolean) {
    const { markets } = this.world.state;
    const { listing } = markets.of(category, symbol);
    const steps = listing.steps(markets.tick);
    const off = Math.floor(steps / (100 + this.random(400)));
    return listing.grid.price(isBelow ? steps - off : steps + off);
  }

  #spot(uid: string): void {
    const { random } = this;
    const symbol = random(3) === 0 ? "ETHUSDT" : "BTCUSDT";
    const side = random(2) === 0 ? "buy" : "sell";
    const isLimit = random(2) === 0;
    const category = uid === MAIN_UID && random(4) === 0 ? "MARGIN" : "SPOT";
    const { order } = this.world.orders.place({
      uid,
      category,
      symbol,
      side,
      orderType: isLimit ? "limit" : "market",
      ...(isLimit ? { price: this.#price("SPOT", symbol, side === "buy") } : {}),
      ...(isLimit || side === "sell" || category === "MARGIN" ? { quantity: exact("0.002") } : { amount: exact("90") }),
    });
    this.#note(category);
    if (isLimit) this.#placed.push({ uid, category, orderId: order.orderId });
  }

  #futures(uid: string): void {
    const { random } = this;
    const { unit, category, symbol } = this.#contract();
    const side = random(2) === 0 ? "buy" : "sell";
    const isLimit = random(3) === 0;
    const { order } = this.world.orders.place({
      uid,
      category,
      symbol,
      side,
      orderType: isLimit ? "limit" : "market",
      ...(isLimit ? { price: this.#price(category, symbol, side === "buy") } : {}),
      quantity: exact(unit).times(String(1 + random(4))),
      marginMode: random(2) === 0 ? "crossed" : "isolated",
      ...(isLimit && random(3) === 0 ? { reduceOnly: true } : {}),
    });
    this.#note(category);
    if (isLimit) this.#placed.push({ uid, category, orderId: order.orderId });
  }

  #contract() {
    return CONTRACTS[this.random(CONTRACTS.length)] ?? CONTRACTS[0];
  }

  #position(uid: string) {
    const open = [...this.world.state.positions.open(uid)];
    return open[this.random(Math.max(1, open.length))];
  }

  #close(uid: string): void {
    const position = this.#position(uid);
    if (position === undefined) return;
    this.world.orders.place({
      uid,
      category: position.category,
      symbol: position.symbol,
      side: position.side === "long" ? "sell" : "buy",
      orderType: "market",
      quantity: position.size,
      reduceOnly: true,
      ...(position.holdMode === "hedge_mode" ? { posSide: position.side } : {}),
      marginMode: position.marginMode,
    });
    this.#note("closed");
  }

  #leverage(uid: string): void {
    const { category, symbol } = this.#contract();
    const leverage = LEVERAGES[this.random(LEVERAGES.length)] ?? 10;
    this.world.settings.setLeverage({ uid, category, symbol }, { crossed: leverage, long: leverage, short: leverage });
    this.#note("leverage");
  }

  #margin(uid: string): void {
    const position = this.#position(uid);
    if (position === undefined) return;
    const { category, symbol, side } = position;
    const share = position.margin.div("10").round(4);
    if (share.eq("0")) return;
    this.world.settings.adjustMargin({ uid, category, symbol, side }, this.random(2) === 0 ? share : share.times("-1"));
    this.#note("margin");
  }

  #placeTpsl(uid: string): void {
    const position = this.#position(uid);
    if (position === undefined) return;
    const { category, symbol, side } = position;
    const isProfit = this.random(2) === 0;
    this.world.plans.placeTpsl({
      uid,
      category,
      symbol,
      side,
      kind: isProfit ? "pos_profit" : "pos_loss",
      tpsl: [
        {
          role: isProfit ? "takeProfit" : "stopLoss",
          triggerPrice: this.#price(category, symbol, isProfit !== (side === "long")),
          triggerBy: "mark",
        },
      ],
    });
    this.#note("tpsl");
  }

  /** Places a strategy order on spot, margin or futures, or cancels one. */
  #strategy(uid: string): void {
    const { planStore, plans, strategies } = this.world;
    const running = planStore.waiting(uid).find(({ strategy }) => strategy !== undefined);
    if (running !== undefined && this.random(2) === 0) {
      plans.cancel(running);
      this.#note("strategy cancelled");
      return;
    }
    const category = (["SPOT", "MARGIN", "USDT-FUTURES"] as const)[this.random(3)] ?? "SPOT";
    const price = (isBelow: boolean) => this.#price(category === "MARGIN" ? "SPOT" : category, "BTCUSDT", isBelow).toFixed();
    const terms: readonly Strategy[] = [
      { kind: "oco", params: { ocoLimitPrice: price(true), ocoTriggerPrice: price(false) } },
      { kind: "trailing_stop", params: { trailType: "ratio", trailVariance: "0.5" } },
      {
        kind: "iceberg",
        params: { splitMode: "quantity", qtyPerOrder: "0.002", orderPreference: "fixed_price", fixedPrice: price(true) },
      },
      { kind: "twap", params: { duration: 1, interval: "20" } },
    ];
    const strategy = terms[this.random(terms.length)];
    if (strategy === undefined) return;
    const order = { uid, category, symbol: "BTCUSDT", side: "buy", orderType: "market", quantity: exact("0.006") } as const;
    strategies.place({ strategy, order });
    this.#note(strategy.kind);
  }

  /** Opens another position, and gives it a loss that its margin does not cover. */
  #liquidate(uid: string): void {
    const { world } = this;
    const futures = { uid, category: "USDT-FUTURES", symbol: "SOLUSDT" } as const;
    world.orders.place({ ...futures, side: "buy", orderType: "market", quantity: exact("1"), marginMode: "isolated" });
    const position = [...world.state.positions.open(uid)].find(({ symbol }) => symbol === futures.symbol);
    if (position === undefined) throw new Error("the position is missing");
    Object.assign(position, { cost: position.cost.times("2.5") });
    // The exchange looks when something of the account has changed.
    this.#transfer(uid);
    this.#note("liquidation");
  }

  #transfer(uid: string): void {
    const kinds = uid === MAIN_UID ? (["unified", "funding"] as const) : (["spot", "usdt-futures"] as const);
    const isOut = this.random(2) === 0;
    const [from, to] = isOut ? [kinds[0], kinds[1]] : [kinds[1], kinds[0]];
    this.world.transfers.transfer({ uid, kind: from }, { uid, kind: to }, "USDT", exact("25.5"));
    this.#note("transfer");
  }

  /** How many positions were liquidated. */
  get liquidations(): number {
    const { positions } = this.world.state;
    return [MAIN_UID, CLASSIC_UID].flatMap((uid) => [...positions.closed(uid)]).filter(({ endedBy }) => endedBy === "liquidation")
      .length;
  }
}
