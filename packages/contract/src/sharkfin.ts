import {
  id,
  optionalDecimal,
  optionalInteger,
  optionalText,
  optionalTime,
  optionalToken,
  text,
  unboundedDecimal,
} from "./codec.js";
import { endpoint, PRIVATE_HISTORY, perSecond, REFERENCE_DATA, UNSTREAMED_STATE } from "./endpoint.js";
import { classicPage } from "./page.js";
import { classicPaging, coinName, maybe, oneOf, required, timestamp } from "./parameter.js";
import { optionalPercent } from "./percent.js";
import { WALLET_READ } from "./permissions.js";
import { record } from "./record.js";

/** Shark-fin: products whose interest depends on a final price. */

export const SHARK_FIN_STATUSES = ["running", "pause", "wait_interest", "wait_settle", "settle", "redeem", "sell_out"] as const;
/** An offer can also be not yet open, and has other names for the remaining states. */
export const SHARK_FIN_OFFER_STATUSES = ["not_started", ...SHARK_FIN_STATUSES] as const;
const OFFER_WIRE_NAMES = {
  in_progress: "running",
  paused: "pause",
  interest_pending: "wait_interest",
  settle_pending: "wait_settle",
  settled: "settle",
  redeemed: "redeem",
  sold_out: "sell_out",
} as const;
export const SHARK_FIN_TRENDS = ["up", "down"] as const;
export const SHARK_FIN_FILTERS = ["subscribed", "settled"] as const;
export const SHARK_FIN_RECORD_TYPES = ["subscription", "redemption", "interest"] as const;

export const sharkFinProduct = record({
  productId: id("The exchange's identifier of the product"),
  interestStartTime: optionalTime("When interest begins to accrue; null until it is set"),
  interestEndTime: optionalTime("When interest stops accruing; null until it is set"),
  productCoin: optionalText("Coin whose price decides the interest"),
  subscribeCoin: text("Coin that was paid in"),
  trend: optionalToken("The direction of the price that pays more", SHARK_FIN_TRENDS),
  settleTime: optionalTime("Settlement; null until it is set"),
  interestAmount: optionalDecimal("Interest, in the subscription coin; null until it is known"),
  status: optionalToken("State of the product (`productStatus`)", SHARK_FIN_STATUSES, undefined, "productStatus"),
});

export const sharkFinRecord = record({
  orderId: id("The exchange's identifier of the record"),
  product: optionalText("Name of the product"),
  period: optionalText("Investment period, as the exchange words it"),
  amount: optionalDecimal("Amount, in the subscription coin"),
  createdTime: optionalTime("When it happened (the exchange's `ts`)", "ts"),
  type: optionalToken("What the record is about", SHARK_FIN_RECORD_TYPES),
});

export const sharkFinOffer = record({
  productId: id("The exchange's identifier of the product"),
  productName: optionalText("Name of the product"),
  productCoin: optionalText("Coin whose price decides the interest"),
  subscribeCoin: optionalText("Coin that is paid in"),
  farmingStartTime: optionalTime("When subscriptions begin to count"),
  farmingEndTime: optionalTime("When subscriptions cease to count"),
  startTime: optionalTime("When the offer opens"),
  endTime: optionalTime("When the offer closes"),
  interestStartTime: optionalTime("When interest begins to accrue"),
  lowerRate: optionalPercent("Yearly interest rate below the price range, as a fraction"),
  defaultRate: optionalPercent("Yearly interest rate that is paid in any case, as a fraction"),
  upperRate: optionalPercent("Yearly interest rate above the price range, as a fraction"),
  period: optionalText("Investment period, in days"),
  periodDays: optionalInteger("Investment period, in days (`period`)", "period"),
  status: optionalToken(
    "State of the offer (the exchange's `status`, in other words than those of a holding)",
    SHARK_FIN_OFFER_STATUSES,
    OFFER_WIRE_NAMES,
    "status",
  ),
  minAmount: optionalDecimal("Least that can be subscribed, in the subscription coin"),
  limitAmount: unboundedDecimal("Most that can be subscribed, in the subscription coin; null without a limit"),
  soldAmount: optionalDecimal("Subscribed so far by all users, in the subscription coin"),
});

export const sharkFinTotals = record({
  amountBtc: optionalDecimal("Subscribed now, in BTC (`btcSubscribeAmount`)", "btcSubscribeAmount"),
  amountUsdt: optionalDecimal("Subscribed now, in USDT (`usdtSubscribeAmount`)", "usdtSubscribeAmount"),
  subscribedBtc: optionalDecimal("Subscribed since the beginning, in BTC (`btcHistoricalAmount`)", "btcHistoricalAmount"),
  subscribedUsdt: optionalDecimal("Subscribed since the beginning, in USDT (`usdtHistoricalAmount`)", "usdtHistoricalAmount"),
  earnedBtc: optionalDecimal("Earned since the beginning, in BTC (`btcTotalEarning`)", "btcTotalEarning"),
  earnedUsdt: optionalDecimal("Earned since the beginning, in USDT (`usdtTotalEarning`)", "usdtTotalEarning"),
});

const pages = classicPaging(20, 100);
const span = {
  startTime: maybe("From here on. Default: three months ago", timestamp()),
  endTime: maybe("Up to here. Default: now", timestamp()),
};
const SPAN_WINDOW = { from: "startTime", to: "endTime", range: { months: 3 } } as const;

const READ = { serves: "BOTH", permissions: WALLET_READ, rate: perSecond(10, "UID") } as const;

export const sharkFinAssets = endpoint({
  ...READ,
  name: "sharkFinAssets",
  doc: "Shark-fin products that the account holds or held",
  path: "/api/v2/earn/sharkfin/assets",
  cache: UNSTREAMED_STATE,
  parameters: {
    status: required("Held now, or settled", oneOf(SHARK_FIN_FILTERS, { fallback: "subscribed" })),
    ...span,
    ...pages,
  },
  window: SPAN_WINDOW,
  data: classicPage(sharkFinProduct, "resultList"),
});

export const sharkFinRecords = endpoint({
  ...READ,
  name: "sharkFinRecords",
  doc: "What was paid into and out of shark-fin products",
  path: "/api/v2/earn/sharkfin/records",
  cache: PRIVATE_HISTORY,
  parameters: {
    coin: maybe("Subscription coin", coinName()),
    type: required("What happened", oneOf(SHARK_FIN_RECORD_TYPES)),
    ...span,
    ...pages,
  },
  window: SPAN_WINDOW,
  data: classicPage(sharkFinRecord, "resultList"),
});

export const sharkFinOffers = endpoint({
  ...READ,
  name: "sharkFinOffers",
  doc: "Shark-fin products on offer for a coin",
  path: "/api/v2/earn/sharkfin/product",
  cache: REFERENCE_DATA,
  parameters: { coin: required("Subscription coin", coinName()), ...pages },
  data: classicPage(sharkFinOffer, "resultList"),
});

export const sharkFinAccount = endpoint({
  ...READ,
  name: "sharkFinAccount",
  doc: "What the account has in shark-fin products, and has earned with them",
  path: "/api/v2/earn/sharkfin/account",
  cache: UNSTREAMED_STATE,
  parameters: {},
  data: sharkFinTotals,
});
