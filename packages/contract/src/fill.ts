import {
  type Codec,
  type Decoded,
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
import { endpoint, PRIVATE_HISTORY, perSecond } from "./endpoint.js";
import { fees } from "./fee.js";
import { classicPage, listPagedBy, page } from "./page.js";
import { between, classicPaging, maybe, oneOf, symbolName, unifiedPaging } from "./parameter.js";
import { FUTURES_ORDERS_READ, SPOT_READ, UNIFIED_TRADE_READ } from "./permissions.js";
import { record, withWireKeys } from "./record.js";
import { asExecuted, orderIdText, positionTerms, productType, type WithoutCategory } from "./trading.js";
import { ORDER_SIDES, ORDER_TYPES, PRODUCT_CATEGORIES, TRADE_SCOPE_WIRE_NAMES, TRADE_SCOPES } from "./vocabulary.js";

/** One execution of an order, of either API version. v3's record, its pushes included, is canonical. */
const fields = {
  execId: id("The exchange's identifier of the execution (Classic: `tradeId`, misspelt `execld` in places)", "execId", "execld"),
  execLinkId: optionalText("What links the two sides of a match; unified accounts only"),
  orderId: optionalText("Identifier of the order that was executed"),
  clientOid: optionalText("The client's own identifier of that order"),
  symbol: text("Symbol name, for example `BTCUSDT`"),
  orderType: optionalToken("Limit or market order; Classic futures do not say", ORDER_TYPES),
  side: optionalToken("Side of the execution in the market: closing a long is SELL, in hedge mode too", ORDER_SIDES),
  ...positionTerms,
  price: needed(optionalDecimal("Price, in quote coin (`execPrice`; Classic: `priceAvg` and `price`)", "execPrice")),
  qty: needed(optionalDecimal("Quantity, in base coin (`execQty`; Classic: `size` and `baseVolume`)", "execQty")),
  value: optionalDecimal("Value, in quote coin (`execValue`; Classic: `amount` and `quoteVolume`)", "execValue"),
  tradeScope: optionalToken("Taker or maker; null where the exchange does not say", TRADE_SCOPES, TRADE_SCOPE_WIRE_NAMES),
  fees: fees("Fees, positive when paid", "positive", "feeDetail"),
  realisedPnl: optionalDecimal("Profit that it realised, in margin coin (`execPnl`; Classic: `profit`)", "execPnl"),
  isRPI: optionalFlag("Was it against a retail price improvement order? Null where the exchange does not say"),
  enterPointSource: optionalText("What the order was entered with, such as API or WEB; Classic only"),
  createdTime: optionalTime("When it happened (also spelt `execTime` and `cTime`)", "createdTime", "execTime"),
  updatedTime: optionalTime("When its record last changed (Classic: `uTime`)", "updatedTime", "createdTime", "execTime"),
};

export const fill = record({ category: token("Product category that it traded in", PRODUCT_CATEGORIES), ...fields });
export type Fill = Decoded<typeof fill>;

const classicTimes = { createdTime: ["cTime"], updatedTime: ["uTime", "cTime"] } as const;
/** The keys of Classic executions on the wire, of the lists as of the pushes. */
export const classicSpotFillKeys = {
  execId: ["tradeId"],
  price: ["priceAvg"],
  qty: ["size"],
  value: ["amount"],
  ...classicTimes,
} as const;
export const classicFuturesFillKeys = {
  execId: ["tradeId"],
  holdMode: ["posMode"],
  price: ["price"],
  qty: ["baseVolume"],
  value: ["quoteVolume"],
  realisedPnl: ["profit"],
  ...classicTimes,
} as const;
export const classicFees = { fees: fees("Fees, positive when paid", "negative", "feeDetail") };

export const classicSpotFill: Codec<Fill> = mapped(
  record({ ...withWireKeys(fields, classicSpotFillKeys), ...classicFees }),
  (wire) => ({ category: "SPOT", categoryRaw: "SPOT", ...wire }),
);

export const classicFuturesFill: Codec<WithoutCategory<Fill>> = mapped(
  record({ ...withWireKeys(fields, classicFuturesFillKeys), ...classicFees }),
  asExecuted,
);

const filters = { orderId: maybe("Only executions of this order", orderIdText()), ...between };

export const fills = endpoint({
  name: "fills",
  doc: "Executions of the last 90 days",
  path: "/api/v3/trade/fills",
  permissions: UNIFIED_TRADE_READ,
  rate: perSecond(20, "UID"),
  cache: PRIVATE_HISTORY,
  parameters: {
    category: maybe("Product category", oneOf(PRODUCT_CATEGORIES)),
    ...filters,
    ...unifiedPaging(100, 100),
  },
  window: { from: "startTime", to: "endTime", range: { days: 30 }, age: { days: 90 } },
  data: page(fill),
});

const classicFilters = { symbol: maybe("Symbol name", symbolName()), ...filters, ...classicPaging(100, 100) };
const FUTURES = {
  permissions: FUTURES_ORDERS_READ,
  rate: perSecond(10, "UID"),
  cache: PRIVATE_HISTORY,
  parameters: { productType, ...classicFilters },
  data: classicPage(classicFuturesFill, "fillList"),
} as const;

export const classicSpotFills = endpoint({
  name: "classicSpotFills",
  doc: "Executions of spot orders",
  path: "/api/v2/spot/trade/fills",
  permissions: SPOT_READ,
  rate: perSecond(10, "UID"),
  cache: PRIVATE_HISTORY,
  parameters: classicFilters,
  window: { from: "startTime", to: "endTime", range: { days: 90 } },
  data: listPagedBy(classicSpotFill, ({ execId }) => execId),
});

export const classicFuturesFills = endpoint({
  ...FUTURES,
  name: "classicFuturesFills",
  doc: "Executions of futures orders",
  path: "/api/v2/mix/order/fills",
});

export const classicFuturesFillHistory = endpoint({
  ...FUTURES,
  name: "classicFuturesFillHistory",
  doc: "Executions of futures orders, a week at a time; the last week if no time is given",
  path: "/api/v2/mix/order/fill-history",
  window: { from: "startTime", to: "endTime", range: { days: 7 } },
});
