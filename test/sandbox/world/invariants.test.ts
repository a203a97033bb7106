import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../src/clock.js";
import type { FuturesCategory, ProductCategory } from "../../../src/contract/vocabulary.js";
import { type Exact, plain } from "../../../src/decimal.js";
import { Refused } from "../../../src/sandbox/refused.js";
import { isUnified, tradingWallet } from "../../../src/sandbox/world/funds/wallets.js";
import { type Wallet, walletOf } from "../../../src/sandbox/world/ledger.js";
import { needOf } from "../../../src/sandbox/world/orders/need.js";
import { type Fill, isOpen, type Order } from "../../../src/sandbox/world/orders/order.js";
import { randomOf } from "../../../src/sandbox/world/random.js";
import { instrumentOf } from "../../../src/sandbox/world/state.js";
import { createWorld, type World } from "../../../src/sandbox/world/world.js";
import { BROKER_UID, CLASSIC_UID, d, MAIN_UID, START } from "./support.js";

const UIDS = [MAIN_UID, CLASSIC_UID, BROKER_UID] as const;
const SYMBOLS: readonly (readonly [ProductCategory, string])[] = [
  ["SPOT", "BTCUSDT"],
  ["SPOT", "ETHBTC"],
  ["SPOT", "LTCUSDT"],
  ["MARGIN", "ETHUSDT"],
  ["USDT-FUTURES", "BTCUSDT"],
  ["USDT-FUTURES", "SOLUSDT"],
  ["COIN-FUTURES", "BTCUSD"],
  ["USDC-FUTURES", "ETHPERP"],
];
const ZERO = d("0");

/** Random calls, valid and not, on a world whose clock moves between them. */
class Player {
  readonly #random;
  readonly refusals = new Map<string, number>();
  done = 0;

  constructor(
    readonly world: World,
    readonly clock: ManualClock,
    seed: string,
    /** How the clock's steps are cut up; must make no difference. */
    readonly cuts: number,
  ) {
    this.#random = randomOf(seed);
  }

  play(calls: number): void {
    for (let call = 0; call < calls; call++) {
      const pause = this.#random.oneIn(1_000) ? 1_200_000 : this.#random.between(0, 100) * 4;
      for (let cut = 0; cut < this.cuts; cut++) {
        this.clock.advance(pause / this.cuts);
        this.world.advance();
      }
      try {
        this.#act();
        this.done++;
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        this.refusals.set(error.refusal.code, (this.refusals.get(error.refusal.code) ?? 0) + 1);
      }
    }
  }

  #act(): void {
    const random = this.#random;
    const uid = random.pick(UIDS);
    const roll = random.between(0, 99);
    const open = [...this.world.state.orders.open(uid)];
    const order = random.pick(open);
    if (roll < 60) this.#place(uid);
    else if (roll < 75) this.world.orders.cancel(uid, order?.category ?? "SPOT", { orderId: order?.orderId ?? "0" });
    else if (roll < 82 && order !== undefined) {
      this.world.orders.modify(order, {
        price: this.#price(order.category, order.symbol),
        quantity: this.#quantity(order.category, order.symbol),
      });
    } else if (roll < 85 && order !== undefined) {
      const { category, symbol, side } = order;
      const posSide = order.position?.posSide;
      this.world.orders.replace(order, {
        uid,
        category,
        symbol,
        side,
        posSide,
        orderType: "limit",
        price: this.#price(category, symbol),
        quantity: this.#quantity(category, symbol),
      });
    } else if (roll < 91) this.#plan(uid);
    else if (roll < 95) this.#configure(uid);
    else this.#transfer(uid);
  }

  #place(uid: string): void {
    const random = this.#random;
    const [category, symbol] = random.pick(SYMBOLS) ?? ["SPOT", "BTCUSDT"];
    const isMarket = random.oneIn(3);
    const side = random.pick(["buy", "sell"] as const);
    const inQuote = isMarket && side === "buy" && (category === "SPOT" || category === "MARGIN");
    const amount = category === "SPOT" && symbol === "ETHBTC" ? d("0.01") : d(String(random.between(1, 4_000)));
    this.world.orders.place({
      uid,
      category,
      symbol,
      side,
      orderType: isMarket ? "market" : "limit",
      price: isMarket ? undefined : this.#price(category, symbol),
      quantity: inQuote ? undefined : this.#quantity(category, symbol),
      amount: inQuote ? amount : undefined,
      posSide: random.pick(["long", "short", undefined] as const),
      reduceOnly: random.oneIn(5),
      timeInForce: random.pick(["gtc", "gtc", "gtc", "ioc", "fok", "post_only"] as const),
      stpMode: random.pick(["none", "cancel_taker", "cancel_maker", "cancel_both"] as const),
      clientOid: random.oneIn(6) ? `id-${random.between(0, 30)}` : undefined,
      marginMode: random.oneIn(20) ? "isolated" : undefined,
      ...(random.oneIn(10) ? { stopLoss: { triggerPrice: this.#price(category, symbol), triggerBy: "mark" as const } } : {}),
    });
  }

  #plan(uid: string): void {
    const random = this.#random;
    const [position] = [...this.world.state.positions.open(uid)];
    if (position === undefined || random.oneIn(4)) {
      const plan = random.pick(this.world.planStore.waiting(uid));
      if (plan !== undefined) this.world.plans.cancel(plan);
      return;
    }
    const { category, symbol, side } = position;
    this.world.plans.placeExit({
      uid,
      category,
      symbol,
      side,
      kind: random.pick(["profit_plan", "pos_loss", "moving_plan"] as const),
      exits: [
        {
          role: random.pick(["takeProfit", "stopLoss"] as const),
          triggerPrice: this.#price(category, symbol),
          triggerBy: "market",
        },
      ],
      quantity: random.oneIn(2) ? undefined : this.#quantity(category, symbol),
      callbackPercent: random.oneIn(3) ? d("0.1") : undefined,
    });
  }

  #configure(uid: string): void {
    const random = this.#random;
    const [category, symbol] = random.pick(SYMBOLS.slice(4)) ?? ["USDT-FUTURES", "BTCUSDT"];
    const of = { uid, category: category as FuturesCategory, symbol };
    const { settings, state } = this.world;
    const roll = random.between(0, 4);
    if (roll === 0) settings.setLeverage(of, { crossed: random.between(1, 160), long: random.between(1, 90) });
    else if (roll === 1) settings.setMarginMode(of, random.pick(["crossed", "isolated"] as const));
    else if (roll === 2)
      settings.setHoldMode(
        uid,
        random.pick(["one_way_mode", "hedge_mode"] as const),
        isUnified(state.accounts.of(uid)) ? undefined : of.category,
      );
    else settings.adjustMargin({ ...of, side: random.pick(["long", "short"] as const) }, d(String(random.between(-200, 200))));
  }

  #transfer(uid: string): void {
    const random = this.#random;
    const kinds = ["spot", "funding", "unified", "usdt-futures", "coin-futures", "usdc-futures", "crossed-margin"] as const;
    const [from, to] = [random.pick(kinds), random.pick(kinds)];
    this.world.transfers.transfer(
      { uid, kind: from },
      { uid, kind: to },
      random.pick(["USDT", "BTC", "USDC", "ETH"] as const),
      d(String(random.between(1, 900))),
    );
  }

  #price(category: ProductCategory, symbol: string): Exact {
    const { markets } = this.world.state;
    const { listing } = markets.of(category, symbol);
    const steps = listing.steps(markets.tick);
    const away = Math.floor((steps * this.#random.between(-60, 60)) / 10_000);
    const price = listing.grid.price(steps + away);
    return this.#random.oneIn(40) ? price.plus("0.0000000001") : price;
  }

  #quantity(category: ProductCategory, symbol: string): Exact {
    const { listing } = this.world.state.markets.of(category, symbol);
    const value = d(String(this.#random.oneIn(20) ? 2_000_000 : this.#random.between(5, 6_000)));
    return listing.grid.floored(
      value.times(this.world.state.markets.usdtPrice("USDT") ?? "1").div(usd(this.world, listing.instrument.baseCoin)),
    );
  }
}

/** A line that tells an order's state. */
const orderLine = (order: Order): string =>
  [order.orderId, order.uid, order.symbol, order.side, order.status, plain(order.filledQuantity)].join(" ");

const usd = (world: World, coin: string): Exact => world.state.markets.usdtPrice(coin) ?? d("1");

/** Positions as they follow from the fills alone. */
class Tally {
  readonly #sizes = new Map<string, Exact>();

  constructor(world: World) {
    world.state.events.on((event) => {
      if (event.kind === "fill") this.#add(event.fill);
    });
  }

  #add({ uid, category, symbol, side, quantity, position }: Fill): void {
    if (position === undefined) return;
    const key = `${uid}/${category}/${symbol}/${position.posSide ?? "net"}`;
    this.#sizes.set(key, (this.#sizes.get(key) ?? ZERO).plus(side === "buy" ? quantity : quantity.times("-1")));
  }

  /** Long minus short, per symbol, over both position modes. */
  nets(): ReadonlyMap<string, string> {
    const nets = new Map<string, Exact>();
    for (const [key, size] of this.#sizes) {
      const name = key.slice(0, key.lastIndexOf("/"));
      nets.set(name, (nets.get(name) ?? ZERO).plus(size));
    }
    return new Map([...nets].filter(([, size]) => !size.eq("0")).map(([name, size]) => [name, plain(size)]));
  }
}

const held = (world: World): ReadonlyMap<string, string> => {
  const nets = new Map<string, Exact>();
  for (const uid of UIDS) {
    for (const { category, symbol, side, size } of world.state.positions.open(uid)) {
      const name = `${uid}/${category}/${symbol}`;
      nets.set(name, (nets.get(name) ?? ZERO).plus(side === "long" ? size : size.times("-1")));
    }
  }
  return new Map([...nets].filter(([, size]) => !size.eq("0")).map(([name, size]) => [name, plain(size)]));
};

const sorted = (map: ReadonlyMap<string, string>) => [...map].sort();

/** What orders and positions say must be frozen and locked, per wallet and coin. */
function claims(world: World): ReadonlyMap<string, string> {
  const sums = new Map<string, Exact>();
  const add = (wallet: Wallet, bucket: string, coin: string, amount: Exact) => {
    const key = `${wallet} ${bucket} ${coin}`;
    sums.set(key, (sums.get(key) ?? ZERO).plus(amount));
  };
  for (const uid of UIDS) {
    const account = world.state.accounts.of(uid);
    for (const order of world.state.orders.open(uid)) {
      const isPooled = isUnified(account) && order.position?.marginMode === "crossed";
      const need = needOf(order, instrumentOf(world.state, order.category, order.symbol), isPooled);
      if (need !== undefined) add(tradingWallet(account, order.category), "frozen", need.coin, need.amount);
    }
    for (const position of world.state.positions.open(uid)) {
      if (position.marginMode === "isolated")
        add(tradingWallet(account, position.category), "locked", position.marginCoin, position.margin);
    }
  }
  return new Map([...sums].filter(([, amount]) => amount.gt("0")).map(([key, amount]) => [key, plain(amount)]));
}

function posted(world: World): ReadonlyMap<string, string> {
  const kinds = ["unified", "spot", "crossed-margin", "usdt-futures", "coin-futures", "usdc-futures"] as const;
  const found = new Map<string, string>();
  for (const wallet of UIDS.flatMap((uid) => kinds.map((kind) => walletOf(uid, kind)))) {
    for (const [coin, { frozen, locked }] of world.state.ledger.coins(wallet)) {
      if (!frozen.eq("0")) found.set(`${wallet} frozen ${coin}`, plain(frozen));
      if (!locked.eq("0")) found.set(`${wallet} locked ${coin}`, plain(locked));
    }
  }
  return found;
}

function audit(world: World, tally: Tally): void {
  const { ledger, orders, markets } = world.state;
  for (const [coin, supply] of ledger.supply()) expect(`${coin} ${plain(ledger.total(coin))}`).toBe(`${coin} ${plain(supply)}`);
  for (const wallet of ledger.wallets()) {
    for (const [, { available, frozen, locked }] of ledger.coins(wallet)) {
      expect(available.gte("0") && frozen.gte("0") && locked.gte("0")).toBe(true);
    }
  }
  expect(sorted(posted(world))).toEqual(sorted(claims(world)));
  expect(sorted(held(world))).toEqual(sorted(tally.nets()));
  const resting = markets.all.flatMap((market) =>
    [...market.orders.side("buy"), ...market.orders.side("sell")].map(({ order }) => order),
  );
  const open = UIDS.flatMap((uid) => [...orders.open(uid)]);
  expect(resting.map(orderLine).sort()).toEqual(open.map(orderLine).sort());
  expect(resting.every((order: Order) => isOpen(order) && order.filledQuantity.lt(order.quantity))).toBe(true);
  for (const [category, symbol] of SYMBOLS) {
    const { asks, bids } = markets.of(category, symbol).depth(markets.tick);
    expect(d(asks[0]?.[0] ?? "0").gt(bids[0]?.[0] ?? "0")).toBe(true);
  }
}

function game(seed: string, cuts = 1) {
  const clock = new ManualClock(START);
  const world = createWorld({ clock, seed, hasPast: false });
  const tally = new Tally(world);
  const player = new Player(world, clock, seed, cuts);
  return { world, tally, player };
}

describe("whatever is called", () => {
  it("the books balance, frozen coins are what orders need, positions are what was filled", { timeout: 300_000 }, () => {
    const { world, tally, player } = game("balance");
    for (let round = 0; round < 50; round++) {
      player.play(1_000);
      audit(world, tally);
    }
    // The game must have had everything in it, or it proves little.
    expect(player.done).toBeGreaterThan(15_000);
    expect(player.refusals.size).toBeGreaterThan(15);
    const { positions, orders } = world.state;
    expect(UIDS.every((uid) => positions.closed(uid).length > 20 && orders.fills(uid).length > 500)).toBe(true);
    expect(UIDS.flatMap((uid) => world.planStore.ended(uid)).some(({ status }) => status === "executed")).toBe(true);
  });

  it("replaying the seed gives equal books, however the clock's steps are cut up", { timeout: 120_000 }, () => {
    const results = [1, 4].map((cuts) => {
      const { world, player } = game("replay", cuts);
      player.play(5_000);
      return { digest: world.state.ledger.digest(), posted: world.state.ledger.posted, id: world.state.ids.next() };
    });
    expect(results[1]).toEqual(results[0]);
    const other = game("another");
    other.player.play(100);
    expect(other.world.state.ledger.digest()).not.toBe(results[0]?.digest);
  });
});
