import {
  type Codec,
  type Decoded,
  decimalAboveZero,
  joinedFields,
  mapped,
  needed,
  optional,
  optionalDecimal,
  optionalText,
  optionalTime,
  optionalToken,
  text,
  token,
} from "../codec.js";
import { exact, plain } from "../decimal.js";
import { type Fee, fees, paid } from "../fee.js";
import { classicTpslKeys, type Order, order, orderRecord, withTotals, withTpslOrderTypes } from "../order.js";
import { record, withWireKeys } from "../record.js";
import { asExecuted } from "../trading.js";
import { PRODUCT_CATEGORIES, TRADE_SCOPE_WIRE_NAMES, TRADE_SCOPES } from "../vocabulary.js";
import {
  classicFuturesAccount,
  classicSpotAccount,
  type Everything,
  type FuturesMarket,
  inCategory,
  unifiedAccount,
} from "./arguments.js";
import { type Channel, EVENTS } from "./channel.js";

/** Order pushes: the whole order after each placement, fill, change and cancellation. v3's record is canonical. */

const lastFill = mapped(
  record({
    execId: text("Identifier of the execution", "tradeId"),
    price: optionalDecimal("Price", "fillPrice"),
    qty: optionalDecimal("Quantity in base coin", "baseVolume"),
    coin: optionalText("Fee coin", "fillFeeCoin"),
    fee: optionalDecimal("Fee, negative when paid", "fillFee"),
    tradeScope: optionalToken("Did it take liquidity or make it?", TRADE_SCOPES, TRADE_SCOPE_WIRE_NAMES),
    createdTime: optionalTime("When it happened", "fillTime"),
  }),
  ({ coin, fee, ...fill }) => {
    const fees: readonly Fee[] | null =
      coin === null || fee === null ? null : [{ coin, amount: paid(fee, "negative"), deduction: null }];
    return { ...fill, fees };
  },
);

/** The execution that caused the push. */
type LastFill = Decoded<typeof lastFill>;

/** An order as pushed. Classic pushes include its last execution, once there is one. */
export type StreamedOrder = Order & { readonly lastFill: LastFill | null };

export const orderChannel: Channel<Everything, StreamedOrder> = {
  name: "order",
  doc: "Orders of a unified account, all products",
  ...unifiedAccount("order"),
  ...EVENTS,
  // The category is in lower case here. It is decoded as in the lists, and so is the raw text.
  item: mapped(order, (pushed) => ({
    ...pushed,
    categoryRaw: pushed.category === "UNKNOWN" ? pushed.categoryRaw : pushed.category,
    lastFill: null,
  })),
};

const { category: _category, ...canon } = orderRecord.fields;

const classicFields = {
  ...withWireKeys(canon, {
    symbol: ["instId"],
    holdMode: ["posMode"],
    qty: ["newSize", "size"],
    cumExecQty: ["accBaseVolume"],
    avgPrice: ["priceAvg"],
    timeInForce: ["force"],
    status: ["status"],
    ...classicTpslKeys,
    createdTime: ["cTime"],
    updatedTime: ["uTime", "cTime"],
  }),
  fees: fees("Fees so far, positive when paid", "negative", "feeDetail"),
};

/** The per-trade keys are present from the first fill on. */
const withLastFill = <T>(codec: Codec<T>): Codec<T & { readonly lastFill: LastFill | null }> => ({
  fields: joinedFields(codec, lastFill),
  decode: (wire, found) => ({
    ...codec.decode(wire, found),
    lastFill: optional(lastFill).decode(hasFill(wire) ? wire : null, found),
  }),
});
const hasFill = (wire: unknown): boolean =>
  typeof wire === "object" && wire !== null && "tradeId" in wire && wire.tradeId !== "" && wire.tradeId !== null;

/** Classic pushes have no executed value: it follows from quantity and average price. */
const withValue = <T extends Pick<Order, "status" | "avgPrice" | "cumExecQty" | "cumExecValue">>(pushed: T): T =>
  pushed.avgPrice === null || pushed.cumExecQty === null
    ? withTotals(pushed)
    : { ...pushed, cumExecValue: plain(exact(pushed.avgPrice).times(pushed.cumExecQty)) };

const spotOrder: Codec<Order> = mapped(
  record({ ...classicFields, notional: needed(decimalAboveZero("Quote coin to spend: market buys alone")) }),
  ({ notional, ...wire }): Order => {
    const inQuote = wire.orderType === "market" && wire.side === "buy";
    return withValue({
      ...wire,
      category: "SPOT",
      categoryRaw: "SPOT",
      // Orders that wait for a trigger have a channel of their own.
      tpslType: wire.tpslType ?? "normal",
      tpslTypeRaw: wire.tpslTypeRaw ?? "normal",
      qty: inQuote ? null : wire.qty,
      quoteQty: inQuote ? (wire.qty ?? notional) : null,
    });
  },
);

/** In hedge mode the side follows from the position side, so that it is the side in the market, whichever side the push has. */
const futuresOrder: Codec<Order> = mapped(
  record({ category: token("Product category", PRODUCT_CATEGORIES), ...classicFields }),
  (wire: Order): Order => withValue(asExecuted(withTpslOrderTypes(wire))),
);

export const classicSpotOrdersChannel: Channel<Everything, StreamedOrder> = {
  name: "classicSpotOrders",
  doc: "Spot orders of a Classic account",
  ...classicSpotAccount("orders", "instId"),
  ...EVENTS,
  item: withLastFill(spotOrder),
};

const SPOT_PLAN_TYPES = ["amount", "total"] as const;

/** The unit of the size depends on the kind of the order: base coin for `amount`, quote coin for `total`. */
const spotTriggerOrder: Codec<StreamedOrder> = mapped(
  record({
    ...classicFields,
    executePrice: needed(decimalAboveZero("Limit price once triggered")),
    planType: optionalToken("What the size counts in: `amount` is base coin, `total` quote coin", SPOT_PLAN_TYPES),
  }),
  ({ executePrice, planType, planTypeRaw: _planTypeRaw, ...wire }) => {
    const isMarketBuy = wire.orderType === "market" && wire.side === "buy";
    const inQuote = planType === "total" || (planType !== "amount" && isMarketBuy);
    return {
      ...withTotals(wire),
      category: "SPOT",
      categoryRaw: "SPOT",
      tpslType: "tpsl",
      tpslTypeRaw: "tpsl",
      price: executePrice ?? wire.price,
      qty: inQuote ? null : wire.qty,
      quoteQty: inQuote ? wire.qty : null,
      lastFill: null,
    };
  },
);

export const classicSpotTriggerOrdersChannel: Channel<Everything, StreamedOrder> = {
  name: "classicSpotTriggerOrders",
  doc: "Spot orders of a Classic account that wait for a trigger",
  ...classicSpotAccount("orders-algo", "instId"),
  ...EVENTS,
  item: spotTriggerOrder,
};

export const classicFuturesOrdersChannel: Channel<FuturesMarket, StreamedOrder> = {
  name: "classicFuturesOrders",
  doc: "Futures orders of a Classic account, by product type",
  ...classicFuturesAccount("orders", "instId"),
  ...EVENTS,
  item: withLastFill(futuresOrder),
  implied: inCategory,
};
