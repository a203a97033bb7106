import { causeOf } from "../cause.js";
import { totalDebt } from "../funds/debts.js";
import { houseWallet, type Wallet, ZERO } from "../ledger.js";
import { down, least, up } from "../money.js";
import type { OrderService } from "../orders/orderService.js";
import type { ForcedClosing } from "../positions/forcedClosing.js";
import type { Position } from "../positions/position.js";
import { type State, usdtPrice } from "../state.js";
import { figuresOf } from "./figures.js";
import { presentPrices } from "./prices.js";
import { isIsolatedSafe, type Pool, poolsOf } from "./risk.js";

const MARKET = houseWallet("market");
const INSURANCE = houseWallet("insurance");

/** Pays the debts of an insolvent wallet: its other coins are sold at the market price, and the insurance fund pays the rest. */
export function settleDebts(state: State, wallet: Wallet): void {
  for (const [coin] of [...state.debts.all(wallet)]) {
    for (const [held] of state.ledger.coins(wallet)) {
      if (held !== coin && !state.debts.all(wallet).some(([owing]) => owing === held)) sell(state, wallet, held, coin);
    }
    const missing = totalDebt(state.debts.of(wallet, coin)).minus(state.ledger.balance(wallet, coin).available);
    if (missing.gt(ZERO)) state.ledger.move(INSURANCE, wallet, coin, missing, causeOf("insurance"));
    state.debts.repay(wallet, coin);
  }
}

/** Sells the amount of a coin that covers the debt in another one. */
function sell(state: State, wallet: Wallet, held: string, coin: string): void {
  const missing = totalDebt(state.debts.of(wallet, coin)).minus(state.ledger.balance(wallet, coin).available);
  if (missing.lte(ZERO)) return;
  const price = usdtPrice(state, held).div(usdtPrice(state, coin));
  const paid = least(state.ledger.balance(wallet, held).available, up(missing.div(price)));
  const taken = least(missing, down(paid.times(price)));
  state.ledger.move(wallet, MARKET, held, paid, causeOf("liquidation"));
  state.ledger.move(MARKET, wallet, coin, taken, causeOf("liquidation"));
}

/**
 * Liquidates accounts whose margin is too low. An isolated position is closed by itself. In a pool open orders are cancelled
 * first, then positions are closed, the one with the largest loss first, until the margin suffices; remaining debts are paid from
 * its coins.
 */
export class Liquidation {
  constructor(
    private readonly state: State,
    private readonly service: OrderService,
    private readonly forced: ForcedClosing,
  ) {}

  review(uid: string): void {
    const prices = presentPrices(this.state);
    for (const position of [...this.state.positions.open(uid)]) {
      if (position.marginMode === "isolated" && !isIsolatedSafe(this.state, position, prices)) this.#liquidate(position);
    }
    for (const pool of poolsOf(this.state, uid)) if (!pool.isSafe(prices)) this.#drain(uid, pool);
  }

  #drain(uid: string, pool: Pool): void {
    const prices = presentPrices(this.state);
    for (const order of [...this.state.orders.open(uid)]) {
      if (pool.holds(order)) this.service.cancel(order, "burst_cancel");
    }
    const byLoss = pool.positions
      .map((position) => ({ position, loss: figuresOf(this.state, position, prices).unrealised }))
      .sort((a, b) => a.loss.cmp(b.loss));
    for (const { position } of byLoss) {
      if (pool.isSafe(prices)) break;
      this.#liquidate(position);
    }
    settleDebts(this.state, pool.wallet);
  }

  #liquidate(position: Position): void {
    const { events } = this.state;
    const price = presentPrices(this.state).mark(position);
    const size = position.size;
    this.forced.close(position, price, "liquidation");
    events.emit({ kind: "liquidation", position, price, size });
  }
}
