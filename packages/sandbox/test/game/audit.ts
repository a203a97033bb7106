import { HOUR_MS } from "@exchange-graph/contract/clock";
import { type Exact, exact, plain } from "@exchange-graph/contract/decimal";
import { expect } from "vitest";
import type { SandboxExchange } from "../../src/sandboxExchange.js";
import { stagesOf } from "../../src/world/earn/sharkFin.js";
import { isUnified, tradingWallet } from "../../src/world/funds/wallets.js";
import { ownerOf, type Wallet, walletOf, ZERO } from "../../src/world/ledger.js";
import { type Fill, isOpen, type Order } from "../../src/world/orders/order.js";
import { needOf } from "../../src/world/orders/orderService.js";
import { instrumentOf } from "../../src/world/state.js";
import type { World } from "../../src/world/world.js";
import { FUTURES, SPOT } from "./draw.js";

/** Amounts by name, zero unless something was added. */
class Sums {
  readonly #sums = new Map<string, Exact>();

  add(name: string, amount: Exact): void {
    this.#sums.set(name, (this.#sums.get(name) ?? ZERO).plus(amount));
  }

  /** What is not zero, in the order of the names. */
  lines(): readonly string[] {
    return [...this.#sums]
      .filter(([, amount]) => !amount.eq(ZERO))
      .map(([name, amount]) => `${name} ${plain(amount)}`)
      .sort();
  }
}

/** Long minus short, per account and symbol: as they follow from the fills since the beginning. */
export class Tally {
  readonly #nets: Sums;
  /** Unix ms. */
  readonly beginning: number;

  constructor(world: World) {
    this.#nets = netsOf(world);
    this.beginning = world.state.now();
    world.state.events.on((event) => {
      if (event.kind === "fill") this.#add(event.fill);
    });
  }

  #add({ uid, category, symbol, side, quantity, position }: Fill): void {
    if (position !== undefined) this.#nets.add(`${uid}/${category}/${symbol}`, side === "buy" ? quantity : ZERO.minus(quantity));
  }

  lines(): readonly string[] {
    return this.#nets.lines();
  }
}

const uidsOf = ({ state }: World): readonly string[] => state.accounts.all().map(({ uid }) => uid);

function netsOf(world: World): Sums {
  const nets = new Sums();
  for (const uid of uidsOf(world)) {
    for (const { category, symbol, side, size } of world.state.positions.open(uid))
      nets.add(`${uid}/${category}/${symbol}`, side === "long" ? size : ZERO.minus(size));
  }
  return nets;
}

/** What orders, positions, loans, savings and shark-fin products say must be frozen, locked and put by. */
function claims({ world, services }: SandboxExchange, { beginning }: Tally): readonly string[] {
  const { state } = world;
  const sums = new Sums();
  const add = (wallet: Wallet, bucket: string, coin: string, amount: Exact) => sums.add(`${wallet} ${bucket} ${coin}`, amount);
  // What falls due is paid at full hours, and all that was due in the beginning had been paid.
  const reviewed = Math.max(beginning, Math.floor(state.now() / HOUR_MS) * HOUR_MS);
  for (const account of state.accounts.all()) {
    const { uid } = account;
    for (const order of state.orders.open(uid)) {
      const isPooled = isUnified(account) && order.position?.marginMode === "crossed";
      const need = needOf(order, instrumentOf(state, order.category, order.symbol), isPooled);
      if (need !== undefined) add(tradingWallet(account, order.category), "frozen", need.coin, need.amount);
    }
    for (const position of state.positions.open(uid)) {
      if (position.marginMode === "isolated")
        add(tradingWallet(account, position.category), "locked", position.marginCoin, position.margin);
    }
    for (const loan of services.loans.ongoing(uid))
      add(walletOf(uid, "collateral"), "locked", loan.pledgeCoin, loan.pledgeAmount);
    for (const { product, amount } of services.savings.holdings.of(uid))
      add(walletOf(uid, "earn"), "available", product.coin, amount);
    for (const holding of services.sharkFin.holdings.of(uid)) {
      if (stagesOf(holding).redeem > reviewed) add(walletOf(uid, "earn"), "available", holding.subscribeCoin, holding.amount);
    }
  }
  return sums.lines();
}

/** What is frozen, locked and put by. */
function setAside({ state }: World): readonly string[] {
  const sums = new Sums();
  for (const wallet of state.ledger.wallets()) {
    for (const [coin, { available, frozen, locked }] of state.ledger.coins(wallet)) {
      sums.add(`${wallet} frozen ${coin}`, frozen);
      sums.add(`${wallet} locked ${coin}`, locked);
      if (wallet.endsWith("/earn")) sums.add(`${wallet} available ${coin}`, available);
    }
  }
  return sums.lines();
}

/** Every balance as it follows from the records of its wallet and coin, each of which continues from the one before. */
function recordedBalances(world: World): readonly string[] {
  const balances = new Map<string, string>();
  for (const uid of uidsOf(world)) {
    const before = new Map<string, Exact>();
    for (const { id, wallet, coin, cause, amount, fee, balance } of [...world.state.records.of(uid)].reverse()) {
      const name = `${wallet} ${coin}`;
      const expected = (before.get(name) ?? ZERO).plus(amount).plus(fee);
      // Compared as text, and by hand: there are many records.
      if (!expected.eq(balance))
        throw new Error(`record ${id} (${cause.kind}) of ${name}: ${plain(balance)}, not ${plain(expected)}`);
      before.set(name, balance);
      balances.set(name, plain(balance));
    }
  }
  return present([...balances].map(([name, balance]) => `${name} ${balance}`));
}

function heldBalances({ state: { ledger } }: World): readonly string[] {
  const users = ledger.wallets().filter((wallet) => ownerOf(wallet) !== "house");
  return present(
    users.flatMap((wallet) => ledger.coins(wallet).map(([coin]) => `${wallet} ${coin} ${plain(ledger.held(wallet, coin))}`)),
  );
}

/** Coins of the past of which nothing is left have records, and no place in the ledger. */
const present = (lines: readonly string[]): readonly string[] => lines.filter((line) => !line.endsWith(" 0")).sort();

/** A line with an order's state. */
const orderLine = (order: Order): string =>
  [order.orderId, order.uid, order.symbol, order.side, order.status, plain(order.filledQuantity)].join(" ");

/** Holds the books against everything that follows from them. */
export function audit(exchange: SandboxExchange, tally: Tally): void {
  const { world } = exchange;
  const { ledger, orders, markets } = world.state;
  for (const [coin, supply] of ledger.supply()) expect(`${coin} ${plain(ledger.total(coin))}`).toBe(`${coin} ${plain(supply)}`);
  const belowZero = ledger.wallets().flatMap((wallet) =>
    ledger
      .coins(wallet)
      .filter(([, { available, frozen, locked }]) => [available, frozen, locked].some((amount) => amount.lt(ZERO)))
      .map(([coin]) => `${wallet} ${coin}`),
  );
  expect(belowZero).toEqual([]);
  expect(recordedBalances(world)).toEqual(heldBalances(world));
  expect(setAside(world)).toEqual(claims(exchange, tally));
  expect(netsOf(world).lines()).toEqual(tally.lines());
  const resting = markets.all.flatMap((market) =>
    [...market.orders.side("buy"), ...market.orders.side("sell")].map(({ order }) => order),
  );
  const open = uidsOf(world).flatMap((uid) => [...orders.open(uid)]);
  expect(resting.map(orderLine).sort()).toEqual(open.map(orderLine).sort());
  expect(resting.every((order) => isOpen(order) && order.filledQuantity.lt(order.quantity))).toBe(true);
  for (const [category, symbol] of [...FUTURES, ...SPOT.map((name) => ["SPOT", name] as const)]) {
    const market = markets.of(category, symbol);
    const [{ asks: best }, { asks, bids }] = [market.depth(markets.tick, 1), market.depth(markets.tick)];
    expect(best[0]).toEqual(asks[0]);
    expect(exact(asks[0]?.[0] ?? "0").gt(bids[0]?.[0] ?? "0")).toBe(true);
  }
}
