import { plain } from "@exchange-graph/contract/decimal";
import { ZERO } from "../../world/ledger.js";
import { type Fill, tradeSideOf } from "../../world/orders/order.js";
import { classicTimes, picked, unifiedTimes } from "./fields.js";
import { classicSide } from "./order.js";

/** Executions in both API versions. A paid fee is positive in v3 and negative in v2. */

/** v3. */
export const unifiedFill = (fill: Fill) => ({
  ...picked(fill, "execId", "execLinkId", "orderId", "clientOid", "category", "symbol", "orderType", "side"),
  posSide: fill.position?.posSide ?? "",
  execPrice: plain(fill.price),
  execQty: plain(fill.quantity),
  execValue: plain(fill.value),
  tradeScope: fill.scope,
  tradeSide: tradeSideOf(fill),
  feeDetail: [{ feeCoin: fill.fee.coin, fee: plain(fill.fee.amount) }],
  execPnl: plain(fill.profit),
  isRPI: "no",
  ...unifiedTimes({ createdTime: fill.at }),
});

const classicFee = ({ fee }: Fill, totalDeductionFee: string) => ({
  deduction: "no",
  feeCoin: fee.coin,
  totalDeductionFee,
  totalFee: plain(ZERO.minus(fee.amount)),
});

/** v2 spot: the fee is an object. */
export const classicSpotFill = (fill: Fill) => ({
  userId: fill.uid,
  ...picked(fill, "symbol", "orderId", "orderType", "side"),
  tradeId: fill.execId,
  priceAvg: plain(fill.price),
  size: plain(fill.quantity),
  amount: plain(fill.value),
  feeDetail: classicFee(fill, ""),
  tradeScope: fill.scope,
  ...classicTimes({ createdTime: fill.at }),
});

/** v2 futures: the fee is a list. */
export const classicFuturesFill = (fill: Fill) => ({
  tradeId: fill.execId,
  ...picked(fill, "symbol", "orderId", "clientOid"),
  price: plain(fill.price),
  baseVolume: plain(fill.quantity),
  feeDetail: [classicFee(fill, "0")],
  side: classicSide(fill.side, fill.position),
  quoteVolume: plain(fill.value),
  profit: plain(fill.profit),
  enterPointSource: "api",
  tradeSide: tradeSideOf(fill),
  posMode: fill.position?.holdMode ?? "",
  tradeScope: fill.scope,
  cTime: String(fill.at),
});
