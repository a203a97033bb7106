import {
  type Codec,
  type Decoded,
  decimalAboveZero,
  id,
  mapped,
  needed,
  optionalDecimal,
  optionalFlag,
  optionalText,
  optionalTime,
  optionalToken,
  text,
  token,
} from "./codec.js";
import { isZero } from "./decimal.js";
import { fees, paid } from "./fee.js";
import { record, withWireKeys } from "./record.js";
import { asExecuted, marginMode, positionTerms, tpslOrderType, type WithoutCategory } from "./trading.js";
import {
  CANCEL_REASONS,
  EXEC_TYPES,
  ORDER_SIDES,
  ORDER_STATUS_WIRE_NAMES,
  ORDER_STATUSES,
  ORDER_TYPES,
  PRODUCT_CATEGORIES,
  SPOT_ORDER_KINDS,
  STP_MODES,
  TIMES_IN_FORCE,
  TRIGGER_PRICE_WIRE_NAMES,
  TRIGGER_PRICES,
} from "./vocabulary.js";

/** Terms of a take-profit and a stop-loss beside their trigger prices. */
export const tpslTerms = {
  tpTriggerBy: optionalToken("What the take-profit looks at", TRIGGER_PRICES, TRIGGER_PRICE_WIRE_NAMES),
  slTriggerBy: optionalToken("What the stop-loss looks at", TRIGGER_PRICES, TRIGGER_PRICE_WIRE_NAMES),
  tpOrderType: optionalToken("How the take-profit leaves", ORDER_TYPES),
  slOrderType: optionalToken("How the stop-loss leaves", ORDER_TYPES),
  tpLimitPrice: needed(decimalAboveZero("Limit price of the take-profit")),
  slLimitPrice: needed(decimalAboveZero("Limit price of the stop-loss")),
};

/** All fields of an attached take-profit and stop-loss. */
export const TPSL_FIELDS = [
  ...["takeProfit", "stopLoss", "tpTriggerBy", "slTriggerBy"],
  ...["tpOrderType", "slOrderType", "tpLimitPrice", "slLimitPrice"],
] as const;

/** Their keys on the wire of Classic futures. */
export const classicTpslKeys = {
  takeProfit: ["presetStopSurplusPrice"],
  stopLoss: ["presetStopLossPrice"],
  tpTriggerBy: ["presetStopSurplusType"],
  slTriggerBy: ["presetStopLossType"],
  tpLimitPrice: ["presetStopSurplusExecutePrice"],
  slLimitPrice: ["presetStopLossExecutePrice"],
} as const;

/**
 * An order of either API version. v3's record, its pushes included, is canonical; the Classic records below are the same fields
 * under other keys, with the necessary conversions.
 */
const fields = {
  orderId: id("The exchange's identifier of the order"),
  clientOid: optionalText("The client's own identifier of the order"),
  symbol: text("Symbol name, for example `BTCUSDT`"),
  orderType: optionalToken("Limit or market order", ORDER_TYPES),
  side: optionalToken("Side of the order in the market: closing a long is SELL, in hedge mode too", ORDER_SIDES),
  ...positionTerms,
  price: needed(decimalAboveZero("Limit price, in quote coin; null for a market order")),
  qty: needed(
    decimalAboveZero("Quantity, in base coin; null for a spot market buy, which counts in quote coin (Classic: `size`)"),
  ),
  quoteQty: needed(decimalAboveZero("Quote coin to spend; spot market buys only (`amount`)", "amount")),
  cumExecQty: needed(optionalDecimal("Quantity filled so far, in base coin (Classic: `baseVolume`)")),
  cumExecValue: optionalDecimal("Value filled so far, in quote coin (Classic: `quoteVolume`)"),
  avgPrice: decimalAboveZero("Average fill price, in quote coin; null until something is filled (Classic: `priceAvg`)"),
  timeInForce: optionalToken(
    "How long it may wait (Classic: `force`, misspelt `timelnForce` in places)",
    TIMES_IN_FORCE,
    undefined,
    "timeInForce",
    "timelnForce",
  ),
  status: needed(
    optionalToken(
      "State of the order (`orderStatus`; Classic: `status` and `state`)",
      ORDER_STATUSES,
      ORDER_STATUS_WIRE_NAMES,
      "orderStatus",
    ),
  ),
  isReduceOnly: optionalFlag(
    "May it only make a position smaller (`reduceOnly`)? Null where the exchange does not say",
    "reduceOnly",
  ),
  fees: fees("Fees so far, positive when paid", "positive", "feeDetail"),
  stpMode: optionalToken("Self-trade prevention; null where the exchange does not say", STP_MODES),
  cancelReason: optionalToken("Why it was cancelled; null unless it was", CANCEL_REASONS),
  execType: optionalToken(
    "Whether it was placed by its owner or forced by the exchange; null where the exchange does not say",
    EXEC_TYPES,
  ),
  marginMode: marginMode("Margin mode; null where the exchange does not say"),
  marginCoin: optionalText("Margin coin of futures; a unified account has it only in its stream"),
  leverage: optionalDecimal("Leverage on futures; a unified account has it only in its stream"),
  realisedPnl: optionalDecimal(
    "Profit that its fills realised, in margin coin; a unified account has it only in its stream, where it is 0 on spot (`totalProfit`, also `totalProfits`)",
    "totalProfit",
    "totalProfits",
  ),
  takeProfit: needed(decimalAboveZero("Trigger price of the attached take-profit", "takeProfit", "takeprofit")),
  stopLoss: needed(decimalAboveZero("Trigger price of the attached stop-loss", "stopLoss", "stoploss")),
  ...tpslTerms,
  tpslType: optionalToken("A plain order or one that waits for its trigger; Classic spot only", SPOT_ORDER_KINDS),
  triggerPrice: needed(decimalAboveZero("The trigger price that it waits for; Classic spot only")),
  positionAvgPrice: optionalDecimal(
    "Average price of the position that it closed; Classic futures history only (`posAvg`)",
    "posAvg",
  ),
  liquidationPrice: decimalAboveZero("Liquidation price of the position; Classic futures history only (`liqPrice`)", "liqPrice"),
  delegateType: optionalText("Where it came from, in the exchange's word; unified accounts only"),
  orderSource: optionalText("Where it came from, in the exchange's word; Classic only"),
  enterPointSource: optionalText("What it was entered with, such as API or WEB; Classic only"),
  newTradeSide: optionalText("What it does to the position, in another word of the exchange; single Classic futures orders only"),
  createdTime: optionalTime("When it was placed (Classic: `cTime`)"),
  updatedTime: optionalTime("When it last changed (Classic: `uTime`)", "updatedTime", "createdTime"),
};

export const orderRecord = record({ category: token("Product category that it trades in", PRODUCT_CATEGORIES), ...fields });
export type Order = Decoded<typeof orderRecord>;

type Totals = Pick<Order, "status" | "cumExecQty" | "cumExecValue">;

/** The exchange leaves running totals empty until there is something to add. The totals of a new order are zero. */
export function withTotals<T extends Totals>(order: T): T {
  const { status, cumExecQty: qty, cumExecValue: value } = order;
  if (qty !== null && value !== null) return order;
  const cumExecQty = qty ?? (status === "new" ? "0" : null);
  return { ...order, cumExecQty, cumExecValue: value ?? (cumExecQty !== null && isZero(cumExecQty) ? "0" : null) };
}

export const order: Codec<Order> = mapped(orderRecord, withTotals);

const classicKeys = {
  qty: ["size"],
  cumExecQty: ["baseVolume"],
  cumExecValue: ["quoteVolume"],
  avgPrice: ["priceAvg"],
  timeInForce: ["force"],
  status: ["status", "state"],
  createdTime: ["cTime"],
  updatedTime: ["uTime", "cTime"],
} as const;

const spotFields = {
  ...withWireKeys(fields, {
    ...classicKeys,
    takeProfit: ["presetTakeProfitPrice"],
    stopLoss: ["presetStopLossPrice"],
    tpLimitPrice: ["executeTakeProfitPrice"],
    slLimitPrice: ["executeStopLossPrice"],
  }),
  fees: fees("Fees so far, positive when paid", "negative", "feeDetail"),
};

export const withTpslOrderTypes = <T extends Pick<Order, "takeProfit" | "stopLoss" | "tpLimitPrice" | "slLimitPrice">>(
  preset: T,
) => ({
  ...preset,
  tpOrderType: tpslOrderType(preset.takeProfit, preset.tpLimitPrice),
  slOrderType: tpslOrderType(preset.stopLoss, preset.slLimitPrice),
});

/** A Classic market buy has its size in quote coin, under the key that is the base quantity of every other order. */
const toSpotOrder = (wire: WithoutCategory<Order>): Order => {
  const inQuote = wire.orderType === "market" && wire.side === "buy";
  return {
    ...withTotals(withTpslOrderTypes(wire)),
    category: "SPOT",
    categoryRaw: "SPOT",
    qty: inQuote ? null : wire.qty,
    quoteQty: inQuote ? wire.qty : null,
    // An order that waits for a trigger has a trigger price; other orders have none.
    tpslType: wire.tpslType ?? (wire.triggerPrice === null ? null : "tpsl"),
  };
};

export const classicSpotOrder: Codec<Order> = mapped(record(spotFields), toSpotOrder);

/** The list of open spot orders has no `price`: the limit price is in `priceAvg`, the fill price in `basePrice`. */
export const classicSpotOpenOrder: Codec<Order> = mapped(
  record(withWireKeys(spotFields, { price: ["price", "priceAvg"], avgPrice: ["basePrice"] })),
  toSpotOrder,
);

const futuresFields = withWireKeys(fields, {
  ...classicKeys,
  holdMode: ["posMode"],
  ...classicTpslKeys,
});

/** A Classic futures order has one fee, in margin coin and negative when paid. */
export const classicFuturesOrder: Codec<WithoutCategory<Order>> = mapped(
  record({ ...futuresFields, marginCoin: optionalText("Margin coin"), fee: optionalDecimal("Fee in margin coin") }),
  ({ fee, ...wire }) =>
    asExecuted({
      ...withTotals(withTpslOrderTypes(wire)),
      fees: fee === null ? null : [{ coin: wire.marginCoin, amount: paid(fee, "negative"), deduction: null }],
    }),
);

/** The answer to a placement, a change or a cancellation: the exchange accepted it, and its outcome is still open. */
export const orderAck = record({
  orderId: optionalText("Order identifier; null when the new order replaces older reduce-only ones"),
  clientOid: optionalText("The client's own order identifier, echoed"),
});
export type OrderAck = Decoded<typeof orderAck>;
