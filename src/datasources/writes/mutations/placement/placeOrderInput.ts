import { type DecimalText, isZero } from "@exchange-graph/contract/decimal";
import type {
  MARGIN_MODES,
  ORDER_SIDES,
  ORDER_TYPES,
  POSITION_SIDES,
  ProductCategory,
  STP_MODES,
  TIMES_IN_FORCE,
} from "@exchange-graph/contract/vocabulary";
import type { ArgumentViolation } from "../../../errors/index.js";
import { isFuturesCategory, type SymbolRules } from "../../../reads/index.js";
import type { Exposure } from "../../limits/exposure.js";
import type { WriteOptions } from "../../writePlan.js";
import type { WithoutNulls } from "../mutation.js";
import type { ExitInput } from "../tpsl.js";

/** An order in terms of v3, for any account: `side` is the side in the market. */
export interface PlaceOrderInput extends WriteOptions {
  readonly category: ProductCategory;
  readonly symbol: string;
  readonly side: (typeof ORDER_SIDES)[number];
  readonly orderType: (typeof ORDER_TYPES)[number];
  /** In base coin. */
  readonly qty?: DecimalText | null | undefined;
  /** In quote coin: the amount of a market buy on spot or margin. */
  readonly quoteQty?: DecimalText | null | undefined;
  readonly price?: DecimalText | null | undefined;
  readonly timeInForce?: (typeof TIMES_IN_FORCE)[number] | null | undefined;
  readonly clientOid?: string | null | undefined;
  readonly posSide?: (typeof POSITION_SIDES)[number] | null | undefined;
  readonly reduceOnly?: boolean | null | undefined;
  readonly marginMode?: (typeof MARGIN_MODES)[number] | null | undefined;
  readonly stpMode?: (typeof STP_MODES)[number] | null | undefined;
  /** Milliseconds after its creation within which the order has to arrive. */
  readonly receiveWindow?: number | null | undefined;
  /** Spot: trigger price. */
  readonly triggerPrice?: DecimalText | null | undefined;
  readonly takeProfit?: ExitInput | null | undefined;
  readonly stopLoss?: ExitInput | null | undefined;
}
/** The same without null fields. */
export type PlaceOrder = WithoutNulls<PlaceOrderInput>;

/** Whether it spends an amount of quote coin rather than trading a quantity of base coin. */
const spendsQuote = ({ category, side, orderType }: Pick<PlaceOrder, "category" | "side" | "orderType">): boolean =>
  (category === "SPOT" || category === "MARGIN") && side === "buy" && orderType === "market";

/** The quantity as it is sent, and its input field. */
export const quantityOf = (order: Pick<PlaceOrder, "category" | "side" | "orderType" | "qty" | "quoteQty">) =>
  spendsQuote(order) ? { quantity: order.quoteQty, field: "quoteQty" } : { quantity: order.qty, field: "qty" };

/**
 * Violations for fields that the type of the order does not have: the price and the time in force of a market order, which the
 * exchange ignores, and a quantity in the wrong coin.
 */
export const brokenByType = (order: PlaceOrder): ArgumentViolation[] => [
  ...(order.orderType === "market" && order.price !== undefined
    ? [{ argument: "price", rule: "must not be given for a market order, which trades at the prices of the market" }]
    : []),
  ...(order.orderType === "market" && order.timeInForce !== undefined
    ? [{ argument: "timeInForce", rule: "must not be given for a market order, which trades at once" }]
    : []),
  ...wrongQuantity(order),
];

function wrongQuantity(order: PlaceOrder): ArgumentViolation[] {
  if (spendsQuote(order))
    return order.qty === undefined
      ? []
      : [{ argument: "qty", rule: "must not be given for a market buy, which spends quoteQty of quote coin" }];
  return order.quoteQty === undefined
    ? []
    : [{ argument: "quoteQty", rule: "must not be given except for a market buy on SPOT or MARGIN; give qty in base coin" }];
}

/** Whether a futures order closes the position that it names. In hedge mode it opens or adds to that position otherwise. */
export const closesPosition = ({ category, side, posSide }: Pick<PlaceOrder, "category" | "side" | "posSide">): boolean =>
  isFuturesCategory(category) && ((side === "sell" && posSide === "long") || (side === "buy" && posSide === "short"));

/** Whether it can only reduce a position. */
export const isClose = (order: Pick<PlaceOrder, "category" | "side" | "posSide" | "reduceOnly">, isHedged: boolean): boolean =>
  closesPosition(order) || (order.reduceOnly === true && !isHedged);

/** In one-way mode the exchange ignores the side of a position: what closes one could open another. */
export const sentReduceOnly = (order: Parameters<typeof isClose>[0], isHedged: boolean): "yes" | undefined =>
  !isHedged && isClose(order, isHedged) ? "yes" : undefined;

/** The market of an exposure, and how far the price of a trade may be from it, by the symbol's rules. */
export const marketIn = ({ category, symbol }: Pick<PlaceOrder, "category" | "symbol">, rules: SymbolRules | undefined) => ({
  market: { category, symbol: rules?.symbol ?? symbol },
  coin: rules?.baseCoin ?? null,
  quoteCoin: rules?.quoteCoin ?? null,
  margin: rules && { above: rules.buyBand, below: rules.sellBand },
});

/** The orders of an attached take-profit and stop-loss on spot, where they trade coins instead of closing a position. */
export const exitsOf = (order: Pick<PlaceOrder, "category" | "takeProfit" | "stopLoss">): Exposure["exits"] =>
  (isFuturesCategory(order.category) ? [] : [order.takeProfit, order.stopLoss]).flatMap((exit) =>
    exit === undefined || isZero(exit.triggerPrice) ? [] : [{ trigger: exit.triggerPrice, price: exit.limitPrice }],
  );

/** An order's addition to the risk. */
export const exposureOf = (order: PlaceOrder, rules: SymbolRules | undefined): Exposure => ({
  ...marketIn(order, rules),
  side: order.side,
  qty: order.qty,
  quoteQty: order.quoteQty,
  price: order.price,
  trigger: order.triggerPrice,
  exits: exitsOf(order),
  field: quantityOf(order).field,
  stays:
    isFuturesCategory(order.category) ||
    (order.orderType === "limit" && order.timeInForce !== "ioc" && order.timeInForce !== "fok"),
});

export function brokenInHedgeMode(order: Parameters<typeof isClose>[0]): ArgumentViolation[] {
  const { posSide, reduceOnly } = order;
  if (posSide === undefined) return [{ argument: "posSide", rule: "must be given: the account holds positions in hedge mode" }];
  if (reduceOnly === true && !closesPosition(order))
    return [{ argument: "reduceOnly", rule: "must not be given for an order that opens a position in hedge mode" }];
  return [];
}

/** Violations for fields that only orders with positions can have. */
export const brokenOffFutures = ({
  posSide,
  reduceOnly,
  marginMode,
  category,
}: Pick<PlaceOrder, "posSide" | "reduceOnly" | "marginMode" | "category">): ArgumentViolation[] => [
  ...(posSide === undefined ? [] : [{ argument: "posSide", rule: `must not be given on ${category}, which has no positions` }]),
  ...(reduceOnly === true ? [{ argument: "reduceOnly", rule: `must not be given on ${category}, which has no positions` }] : []),
  ...(marginMode !== undefined && category === "SPOT"
    ? [{ argument: "marginMode", rule: "must not be given on SPOT, which has no margin" }]
    : []),
];
