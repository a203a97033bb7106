import { type Exact, exact } from "@exchange-graph/contract/decimal";
import { type Instrument, isFutures } from "../catalogue/instrument.js";
import { houseWallet, ZERO } from "../ledger.js";
import type { FuturesSettlement } from "../positions/futuresSettlement.js";
import { instrumentOf, type State } from "../state.js";
import { type Fill, fillOf, type Order, remaining, tradeCause } from "./order.js";
import type { OrderService } from "./orderService.js";

const MARKET = houseWallet("market");
const FEES = houseWallet("fees");

/** One side of a trade before its settlement. */
type Execution = Pick<Fill, "price" | "quantity" | "scope" | "execId" | "execLinkId">;

/** Settles trades: updates coins or positions and the order, and records and pushes the fill. */
export class Executor {
  constructor(
    private readonly state: State,
    private readonly futures: FuturesSettlement,
    private readonly service: OrderService,
  ) {}

  execute(order: Order, { price, quantity, scope, execId, execLinkId }: Execution): void {
    const { orders, events, now } = this.state;
    const instrument = instrumentOf(this.state, order.category, order.symbol);
    const rate = exact(scope === "taker" ? instrument.takerFeeRate : instrument.makerFeeRate);
    const value = price.times(quantity);
    order.filledQuantity = order.filledQuantity.plus(quantity);
    order.filledValue = order.filledValue.plus(value);
    order.status = "partially_filled";
    order.updatedTime = now();
    const { fee, profit } = isFutures(instrument)
      ? this.futures.settle(order, instrument, price, quantity, rate)
      : this.#exchange(order, instrument, quantity, value, rate);
    order.fees.set(fee.coin, (order.fees.get(fee.coin) ?? ZERO).plus(fee.amount));
    order.profit = order.profit.plus(profit);
    const fill = fillOf(order, { execId, execLinkId, price, quantity, value, fee, scope, profit, at: now() });
    orders.enterFill(fill);
    events.emit({ kind: "fill", fill });
    if (order.amount === undefined && remaining(order).eq(ZERO)) this.service.complete(order);
    else events.emit({ kind: "order", order });
  }

  /**
   * Exchanges the coins of a spot pair. All users trade with the exchange's market wallet, which is between the two sides of every
   * trade. The order, already advanced, pays from its frozen coins; the fee is deducted from the received coins.
   */
  #exchange(order: Order, instrument: Instrument, quantity: Exact, value: Exact, rate: Exact): Pick<Fill, "fee" | "profit"> {
    const { ledger, debts } = this.state;
    const wallet = this.service.walletOf(order);
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
