import { perSecond, writeEndpoint } from "./endpoint.js";
import { orderAck } from "./order.js";
import { amount, capitalCoinName, maybe, oneOf, required, symbolName } from "./parameter.js";
import { FUTURES_ORDERS_WRITE } from "./permissions.js";
import {
  classicClientOid,
  classicOrderIds,
  limitPrice,
  lowerCaseProductType,
  orderIdOrClientOid,
  productType,
  stpMode,
} from "./trading.js";
import { MARGIN_MODES, ORDER_SIDES, ORDER_TYPES, TIMES_IN_FORCE } from "./vocabulary.js";

/** Futures orders of a Classic account. */

const WRITE = { permissions: FUTURES_ORDERS_WRITE, rate: perSecond(10, "UID"), data: orderAck } as const;

export const classicPlaceFuturesOrder = writeEndpoint({
  ...WRITE,
  name: "classicPlaceFuturesOrder",
  doc: "Places a futures order",
  path: "/api/v2/mix/order/place-order",
  rate: perSecond(10, "UID", { copyTrader: 1 }),
  parameters: {
    symbol: required("Symbol name", symbolName()),
    productType: lowerCaseProductType,
    marginMode: required("Margin mode", oneOf(MARGIN_MODES)),
    marginCoin: required("Margin coin", capitalCoinName()),
    clientOid: maybe("The client's own order identifier", classicClientOid()),
    side: required("One-way: what to do in the market. Hedge mode: the position's direction, buy for long", oneOf(ORDER_SIDES)),
    tradeSide: maybe("Open or close: required in hedge mode, refused in one-way mode", oneOf(["open", "close"])),
    orderType: required("Limit or market", oneOf(ORDER_TYPES)),
    price: maybe("Limit price", amount()),
    size: required("Quantity in base coin", amount()),
    force: maybe("How long a limit order may wait", oneOf(TIMES_IN_FORCE, { fallback: "gtc" })),
    reduceOnly: maybe(
      "Only make the position smaller; one-way mode alone",
      oneOf(["yes", "no"], { fallback: "no", wireName: (value) => value.toUpperCase() }),
    ),
    presetStopSurplusPrice: maybe("Trigger price of the attached take-profit", amount()),
    presetStopSurplusExecutePrice: maybe("Limit price of the take-profit; 0 or none: at market", amount("zero or more")),
    presetStopLossPrice: maybe("Trigger price of the attached stop-loss", amount()),
    presetStopLossExecutePrice: maybe("Limit price of the stop-loss; 0 or none: at market", amount("zero or more")),
    stpMode,
  },
  rules: [limitPrice],
});

export const classicModifyFuturesOrder = writeEndpoint({
  ...WRITE,
  name: "classicModifyFuturesOrder",
  doc: "Changes an open futures order; a new price or size makes a new order, found by `newClientOid`",
  path: "/api/v2/mix/order/modify-order",
  parameters: {
    symbol: required("Symbol name", symbolName()),
    productType,
    ...classicOrderIds,
    newClientOid: required("The client's own identifier of the new order", classicClientOid()),
    newSize: maybe("New quantity in base coin", amount()),
    newPrice: maybe("New limit price", amount()),
    newPresetStopSurplusPrice: maybe("New trigger price of the take-profit", amount("zero or more")),
    newPresetStopLossPrice: maybe("New trigger price of the stop-loss", amount("zero or more")),
  },
  rules: [
    orderIdOrClientOid,
    { required: "newSize", when: "when newPrice is", applies: ({ newPrice }) => newPrice !== undefined },
    { required: "newPrice", when: "when newSize is", applies: ({ newSize }) => newSize !== undefined },
  ],
});

export const classicCancelFuturesOrder = writeEndpoint({
  ...WRITE,
  name: "classicCancelFuturesOrder",
  doc: "Asks for the cancellation of an open futures order",
  path: "/api/v2/mix/order/cancel-order",
  parameters: {
    symbol: required("Symbol name", symbolName()),
    productType,
    marginCoin: maybe("Margin coin", capitalCoinName()),
    ...classicOrderIds,
  },
  rules: [orderIdOrClientOid],
});
