import {
  id,
  integer,
  optionalDecimal,
  optionalFlag,
  optionalInteger,
  optionalText,
  optionalTime,
  optionalToken,
} from "./codec.js";
import { endpoint, PRIVATE_HISTORY, perSecond, REFERENCE_DATA, UNSTREAMED_STATE, writeEndpoint } from "./endpoint.js";
import { list, listOf } from "./lists.js";
import { classicPage } from "./page.js";
import { amount, between, classicPaging, coinName, maybe, oneOf, required, textRule } from "./parameter.js";
import { optionalPercent } from "./percent.js";
import { WALLET_READ, WALLET_WRITE } from "./permissions.js";
import { record } from "./record.js";

/** Savings: coins lent to the exchange, for a fixed term or until redeemed. */

export const SAVINGS_PERIOD_TYPES = ["flexible", "fixed"] as const;
export const SAVINGS_FILTERS = ["available", "held", "available_and_held", "all"] as const;
export const SAVINGS_RATE_TYPES = ["single", "ladder"] as const;
export const SAVINGS_SETTLE_METHODS = ["daily", "maturity"] as const;
export const SAVINGS_LEVELS = ["beginner", "normal", "VIP"] as const;
export const SAVINGS_PRODUCT_STATUSES = ["not_started", "in_progress", "paused", "completed", "sold_out", "off_line"] as const;
export const SAVINGS_HOLDING_STATUSES = ["in_progress", "in_redemption"] as const;
const HOLDING_WIRE_NAMES = { in_holding: "in_progress" } as const;
export const SAVINGS_RECORD_TYPES = ["subscribe", "redeem", "pay_interest", "deduction"] as const;
/** How a redemption ended. Any other word, or none, means that it has not. */
export const SAVINGS_RESULTS = ["success", "fail"] as const;

/** Minimum time between two redemptions, in ms. */
export const REDEEM_INTERVAL_MS = 60_000;

export const rateTier = record({
  tier: integer("Number of the tier, from 0 (`rateLevel`)", "rateLevel"),
  minAmount: optionalDecimal(
    "Amount at which the tier begins, in the product's coin (`minStepVal`, also spelt `minApy`)",
    "minStepVal",
    "minApy",
  ),
  maxAmount: optionalDecimal(
    "Amount at which the tier ends, in the product's coin; null without an end (`maxStepVal`, also spelt `maxApy`)",
    "maxStepVal",
    "maxApy",
  ),
  apy: optionalPercent("Yearly rate now, as a fraction (`currentApy`)", "currentApy"),
});

export const savingsProduct = record({
  productId: id("The exchange's identifier of the product"),
  coin: optionalText("Coin, for example `USDT`"),
  periodType: optionalToken("Kind of term", SAVINGS_PERIOD_TYPES),
  period: optionalText("Term in days; null for a flexible product"),
  periodDays: optionalInteger("Term in days; null for a flexible product (`period`)", "period"),
  apyType: optionalToken("How the rate depends on the amount", SAVINGS_RATE_TYPES),
  canRedeemEarly: optionalFlag(
    "Can it be redeemed before the term ends (`advanceRedeem`)? Null where the exchange does not say",
    "advanceRedeem",
  ),
  settleMethod: optionalToken("When interest is paid; null where the exchange does not say", SAVINGS_SETTLE_METHODS),
  apyTiers: list("Rates, per tier", rateTier, "apyList"),
  status: optionalToken("State of the product", SAVINGS_PRODUCT_STATUSES),
  productLevel: optionalToken("Users that it is for; null where the exchange does not say", SAVINGS_LEVELS),
});

export const savingsTotals = record({
  amountBtc: optionalDecimal("Held now, in BTC (`btcAmount`)", "btcAmount"),
  amountUsdt: optionalDecimal("Held now, in USDT (`usdtAmount`)", "usdtAmount"),
  earned24hBtc: optionalDecimal("Earned in the last 24 hours, in BTC (`btc24hEarning`)", "btc24hEarning"),
  earned24hUsdt: optionalDecimal("Earned in the last 24 hours, in USDT (`usdt24hEarning`)", "usdt24hEarning"),
  earnedBtc: optionalDecimal("Earned since the beginning, in BTC (`btcTotalEarning`)", "btcTotalEarning"),
  earnedUsdt: optionalDecimal("Earned since the beginning, in USDT (`usdtTotalEarning`)", "usdtTotalEarning"),
});

export const savingsHolding = record({
  productId: id("The exchange's identifier of the product"),
  orderId: optionalText("Identifier of the holding, needed to redeem it; null for a flexible product"),
  productCoin: optionalText("Coin that is held"),
  interestCoin: optionalText("Coin in which interest is paid"),
  periodType: optionalToken("Kind of term", SAVINGS_PERIOD_TYPES),
  period: optionalText("Term in days; null for a flexible product"),
  periodDays: optionalInteger("Term in days; null for a flexible product (`period`)", "period"),
  amount: optionalDecimal("Amount held, in the product's coin (`holdAmount`)", "holdAmount"),
  lastProfit: optionalDecimal("Interest of the last period, in the interest coin"),
  totalProfit: optionalDecimal("Interest since the beginning, in the interest coin"),
  holdDays: optionalInteger("Days that it has been held; null for a flexible product"),
  status: optionalToken("State of the holding", SAVINGS_HOLDING_STATUSES, HOLDING_WIRE_NAMES),
  canRedeemEarly: optionalFlag(
    "Can it be redeemed before the term ends (`advanceRedeem`, also spelt `allowRedemption`)? Null where the exchange does not say",
    "advanceRedeem",
    "allowRedemption",
  ),
  productLevel: optionalToken("Users that the product is for; null where the exchange does not say", SAVINGS_LEVELS),
  apyTiers: list("Rates, per tier", rateTier, "apy"),
});

export const savingsRecord = record({
  orderId: id("The exchange's identifier of the record"),
  productCoin: optionalText("Coin that is held (the exchange's `coinName`)", "coinName"),
  interestCoin: optionalText("Coin in which interest is paid (the exchange's `settleCoinName`)", "settleCoinName"),
  periodType: optionalToken("Kind of term (the exchange's `productType`)", SAVINGS_PERIOD_TYPES, {}, "productType"),
  period: optionalText("Term in days; null for a flexible product"),
  periodDays: optionalInteger("Term in days; null for a flexible product (`period`)", "period"),
  productLevel: optionalToken("Users that the product is for; null where the exchange does not say", SAVINGS_LEVELS),
  amount: optionalDecimal("Amount that moved, in the coin"),
  createdTime: optionalTime("When it happened (the exchange's `ts`)", "ts"),
  orderType: optionalToken("What the record is about", SAVINGS_RECORD_TYPES),
});

export const redemption = record({
  orderId: optionalText("Redemption order identifier"),
  // Not a closed set, and in places not a state: an amount was seen here.
  status: optionalText("What the exchange says about the order, in its own words"),
});

export const redemptionResult = record({
  result: optionalToken("Whether it succeeded; null while the exchange does not say", SAVINGS_RESULTS),
  message: optionalText("Why it failed, in the exchange's words (`msg`)", "msg"),
});

const periodType = required("Kind of term", oneOf(SAVINGS_PERIOD_TYPES));
const spanAndPages = { ...between, ...classicPaging(20, 100) };
const SPAN_WINDOW = { from: "startTime", to: "endTime", range: { months: 3 } } as const;

const READ = { serves: "BOTH", permissions: WALLET_READ, rate: perSecond(10, "UID") } as const;

export const savingsProducts = endpoint({
  ...READ,
  name: "savingsProducts",
  doc: "Savings products on offer",
  path: "/api/v2/earn/savings/product",
  cache: REFERENCE_DATA,
  parameters: {
    coin: maybe("Coin", coinName()),
    filter: maybe("Which products", oneOf(SAVINGS_FILTERS)),
  },
  data: listOf(savingsProduct),
});

export const savingsAccount = endpoint({
  ...READ,
  name: "savingsAccount",
  doc: "What the account has in savings, and has earned with them",
  path: "/api/v2/earn/savings/account",
  cache: UNSTREAMED_STATE,
  parameters: {},
  data: savingsTotals,
});

export const savingsAssets = endpoint({
  ...READ,
  name: "savingsAssets",
  doc: "Savings that the account holds",
  path: "/api/v2/earn/savings/assets",
  cache: UNSTREAMED_STATE,
  parameters: { periodType, ...spanAndPages },
  window: SPAN_WINDOW,
  data: classicPage(savingsHolding, "resultList"),
});

export const savingsRecords = endpoint({
  ...READ,
  name: "savingsRecords",
  doc: "What was paid into and out of savings",
  path: "/api/v2/earn/savings/records",
  cache: PRIVATE_HISTORY,
  parameters: {
    periodType,
    coin: maybe("Coin", coinName()),
    orderType: maybe("What happened", oneOf(SAVINGS_RECORD_TYPES)),
    ...spanAndPages,
  },
  window: SPAN_WINDOW,
  data: classicPage(savingsRecord, "resultList"),
});

export const savingsRedeem = writeEndpoint({
  name: "savingsRedeem",
  doc: "Takes coins out of a savings product",
  path: "/api/v2/earn/savings/redeem",
  serves: "BOTH",
  permissions: WALLET_WRITE,
  rate: perSecond(10, "UID"),
  parameters: {
    productId: required("Product identifier", textRule()),
    orderId: maybe("Order identifier of the holding, where the list of holdings names one", textRule()),
    periodType,
    amount: required("Amount to take out", amount()),
  },
  data: redemption,
});

export const savingsRedeemResult = endpoint({
  ...READ,
  name: "savingsRedeemResult",
  doc: "How a redemption ended",
  path: "/api/v2/earn/savings/redeem-result",
  parameters: {
    orderId: required("Redemption order identifier", textRule()),
    periodType,
  },
  data: redemptionResult,
});
