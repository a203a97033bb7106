import type { Exact } from "@exchange-graph/contract/decimal";
import type { Instrument } from "../catalogue/instrument.js";
import { houseWallet, ZERO } from "../ledger.js";
import type { State } from "../state.js";
import { type Order, tradeCause } from "./order.js";
import type { OrderService } from "./orderService.js";

const MARKET = houseWallet("market");
const FEES = houseWallet("fees");

/** Result of one side of an execution. */
export interface Settled {
  readonly fee: { readonly coin: string; readonly amount: Exact };
  /** Realised profit in margin coin. */
  readonly profit: Exact;
}

/** Exchanges coins. All users trade with the exchange's market wallet, which is between the two sides of every trade. */
export class SpotSettlement {
  constructor(
    private readonly state: State,
    private readonly service: OrderService,
  ) {}

  /** Pays from the frozen coins of the order, which is already advanced; the fee is deducted from the received coins. */
  settle(order: Order, instrument: Instrument, price: Exact, quantity: Exact, rate: Exact): Settled {
    const { ledger, debts } = this.state;
    const wallet = this.service.walletOf(order);
    const value = price.times(quantity);
    const base = { coin: instrument.baseCoin, amount: quantity };
    const quote = { coin: instrument.quoteCoin, amount: value };
    const [sold, taken] = order.side === "buy" ? [quote, base] : [base, quote];
    const fee = { coin: taken.coin, amount: taken.amount.times(rate) };
    const cause = tradeCause(order);
    ledger.spend(wallet, MARKET, sold.coin, sold.amount, cause);
    if (order.reserved !== undefined) order.reserved = { coin: sold.coin, amount: order.reserved.amount.minus(sold.amount) };
    this.service.settleReserve(order);
    ledger.move(MARKET, wallet, taken.coin, taken.amount, cause);
    ledger.move(wallet, FEES, fee.coin, fee.amount, cause);
    debts.repay(wallet, taken.coin);
    return { fee, profit: ZERO };
  }
}
