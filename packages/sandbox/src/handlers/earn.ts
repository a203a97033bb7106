import { DAY_MS } from "@exchange-graph/contract/clock";
import { exact, plain } from "@exchange-graph/contract/decimal";
import { inCapitals, isNamed } from "@exchange-graph/contract/letterCase";
import {
  savingsAccount,
  savingsAssets,
  savingsProducts,
  savingsRecords,
  savingsRedeem,
  savingsRedeemResult,
} from "@exchange-graph/contract/savings";
import { sharkFinAccount, sharkFinAssets, sharkFinOffers, sharkFinRecords } from "@exchange-graph/contract/sharkfin";
import { before } from "@exchange-graph/contract/window";
import type { RateTier, SavingsHolding, SavingsProduct, SavingsRecord } from "../world/earn/savings.js";
import type { SavingsService } from "../world/earn/savingsService.js";
import {
  interestOf,
  offerStatusAt,
  sharkFinOffers as offersOf,
  type SharkFinHolding,
  type SharkFinOffer,
  type SharkFinRecord,
  stagesOf,
  statusAt,
} from "../world/earn/sharkFin.js";
import type { SharkFinService } from "../world/earn/sharkFinService.js";
import { type Handler, signed } from "./handler.js";
import { createdWithin, type HistoryQuery, resultList } from "./paging.js";
import { picked, worthAs } from "./wire/fields.js";

/** Decimals of a tier's bounds, of a rate, and of the amount in the answer to a redemption. */
const BOUND_PLACES = 6;
const RATE_PLACES = 2;

/** Savings: products, holdings, redemption. */
export function savingsHandlers(service: SavingsService): readonly Handler[] {
  const { now, usdtPrice } = service.office;
  const isHeld = (uid: string, product: SavingsProduct) =>
    service.holdings.of(uid).some((holding) => holding.product === product);
  const worth = (ending: string, rows: readonly (SavingsHolding | SavingsRecord)[]) =>
    worthAs(
      ending,
      rows.map(({ product: { coin }, amount }) => ({ coin, amount })),
      usdtPrice,
    );
  return [
    signed(savingsProducts, ({ values, uid }) => {
      const shown = {
        available: ({ status }: SavingsProduct) => status === "in_progress",
        held: (product: SavingsProduct) => isHeld(uid, product),
        available_and_held: (product: SavingsProduct) => product.status === "in_progress" || isHeld(uid, product),
        all: () => true,
      }[values.filter ?? "all"];
      return service.products.filter((product) => isNamed(product.coin, values.coin) && shown(product)).map(offered);
    }),

    signed(savingsAccount, ({ uid }) => {
      const interest = service.records.of(uid).filter(({ type }) => type === "pay_interest");
      const ofToday = interest.filter(({ createdTime }) => createdTime > now() - DAY_MS);
      return {
        ...worth("Amount", service.holdings.of(uid)),
        ...worth("24hEarning", ofToday),
        ...worth("TotalEarning", interest),
      };
    }),
    signed(savingsAssets, ({ values, uid }) => {
      const all = createdWithin(service.holdings.of(uid), values);
      const found = all.filter(({ product }) => product.periodType === values.periodType);
      return resultList(found, "orderId", values, (holding) => held(holding, now()));
    }),

    signed(savingsRecords, ({ values, uid }) => {
      const all = createdWithin(service.records.of(uid), values);
      const found = all.filter(
        ({ product, type }) =>
          product.periodType === values.periodType && isNamed(product.coin, values.coin) && (values.orderType ?? type) === type,
      );
      return resultList(found, "orderId", values, recorded);
    }),

    // As on the real exchange, the answer's `status` is an amount, not a state.
    signed(savingsRedeem, ({ values, uid }) => {
      const { orderId, amount } = service.redeem(uid, { ...values, amount: exact(values.amount) });
      return { orderId, status: amount.toFixed(BOUND_PLACES) };
    }),

    signed(savingsRedeemResult, ({ values, uid }) => {
      const redeemed = service.records
        .of(uid)
        .some(
          ({ orderId, type, product }) =>
            type === "redeem" && orderId === values.orderId && product.periodType === values.periodType,
        );
      return redeemed ? { result: "success", msg: "" } : { result: "fail", msg: "The order does not exist" };
    }),
  ];
}

/** The bounds and rate of each tier; in holdings the bounds come after the rate. */
const tiersOf = ({ tiers }: SavingsProduct, from: string, to: string): unknown =>
  tiers.map(({ upTo, apy }: RateTier, level) => ({
    rateLevel: String(level),
    [from]: exact(tiers[level - 1]?.upTo ?? "0").toFixed(BOUND_PLACES),
    [to]: exact(upTo).toFixed(BOUND_PLACES),
    currentApy: exact(apy).toFixed(RATE_PLACES),
  }));

const periodOf = ({ days }: SavingsProduct): string => (days === undefined ? "" : String(days));
const endsEarly = ({ days, canEndEarly }: SavingsProduct): string => (days === undefined ? "" : canEndEarly ? "Yes" : "No");

const offered = (product: SavingsProduct): unknown => ({
  ...picked(product, "productId", "coin", "periodType", "status"),
  period: periodOf(product),
  apyType: product.tiers.length > 1 ? "ladder" : "single",
  advanceRedeem: endsEarly(product),
  settleMethod: product.days === undefined ? "daily" : "maturity",
  apyList: tiersOf(product, "minStepVal", "maxStepVal"),
  productLevel: product.level,
});

function held({ product, ...holding }: SavingsHolding, now: number): unknown {
  const isFixed = product.days !== undefined;
  return {
    ...picked(product, "productId", "periodType"),
    orderId: isFixed ? holding.orderId : "",
    productCoin: product.coin,
    interestCoin: product.coin,
    period: periodOf(product),
    holdAmount: plain(holding.amount),
    lastProfit: plain(holding.lastProfit),
    totalProfit: plain(holding.totalProfit),
    holdDays: isFixed ? String(Math.floor((now - holding.createdTime) / DAY_MS)) : "",
    status: "in_holding",
    allowRedemption: endsEarly(product),
    productLevel: product.level,
    apy: tiersOf(product, "minApy", "maxApy"),
  };
}

const recorded = ({ orderId, product, type, amount, createdTime }: SavingsRecord): unknown => ({
  orderId,
  coinName: product.coin,
  settleCoinName: product.coin,
  productType: product.periodType,
  period: periodOf(product),
  productLevel: product.level,
  amount: plain(amount),
  ts: String(createdTime),
  orderType: type,
});

const SPAN = { months: 3 } as const;

/** Shark-fin products with their subscriptions and payouts. */
export function sharkFinHandlers(service: SharkFinService): readonly Handler[] {
  const { now, usdtPrice } = service.office;
  /** The range of a call: three months up to its end. Default end: now. */
  const range = ({ startTime, endTime = now() }: Pick<HistoryQuery, "startTime" | "endTime">) => ({
    startTime: startTime ?? before(endTime, SPAN),
    endTime,
  });

  return [
    signed(sharkFinAssets, ({ values, uid }) => {
      const found = createdWithin(service.holdings.of(uid), range(values)).filter(
        (holding) => isSettled(holding, now()) === (values.status === "settled"),
      );
      return resultList(found, "productId", values, (holding) => product(holding, now()));
    }),

    signed(sharkFinRecords, ({ values, uid }) => {
      const found = createdWithin(service.records.of(uid), range(values)).filter(
        ({ type, coin }) => type === values.type && isNamed(coin, values.coin),
      );
      return resultList(found, "orderId", values, record);
    }),

    signed(sharkFinOffers, ({ values }) => {
      const offers = offersOf(inCapitals(values.coin), now());
      return resultList(offers, "productId", values, (row) => offer(row, now()));
    }),

    signed(sharkFinAccount, ({ uid }) => {
      const held = service.holdings.of(uid).filter((holding) => statusAt(holding, now()) !== "redeem");
      const recordsOf = (kind: SharkFinRecord["type"]) => service.records.of(uid).filter(({ type }) => type === kind);
      const subscribed = held.map(({ subscribeCoin, amount }) => ({ coin: subscribeCoin, amount }));
      return {
        ...worthAs("SubscribeAmount", subscribed, usdtPrice),
        ...worthAs("HistoricalAmount", recordsOf("subscription"), usdtPrice),
        ...worthAs("TotalEarning", recordsOf("interest"), usdtPrice),
      };
    }),
  ];
}

const isSettled = (holding: SharkFinHolding, now: number): boolean => {
  const status = statusAt(holding, now);
  return status === "settle" || status === "redeem";
};

/** The interest is empty text until it is settled. */
function product(holding: SharkFinHolding, now: number): unknown {
  const { interestStart, interestEnd, settle } = stagesOf(holding);
  return {
    ...picked(holding, "productId", "productCoin", "subscribeCoin", "trend"),
    interestStartTime: String(interestStart),
    interestEndTime: String(interestEnd),
    settleTime: String(settle),
    interestAmount: isSettled(holding, now) ? plain(interestOf(holding)) : "",
    productStatus: statusAt(holding, now),
  };
}

/** An unlimited amount is sent as a word. */
function offer(row: SharkFinOffer, now: number): unknown {
  const { wait, interestStart } = stagesOf(row);
  return {
    ...picked(row, "productId", "productName", "productCoin", "subscribeCoin", "minAmount"),
    farmingStartTime: String(row.createdTime),
    farmingEndTime: String(wait),
    lowerRate: row.rates.lower,
    defaultRate: row.rates.default,
    upperRate: row.rates.upper,
    period: String(row.days),
    interestStartTime: String(interestStart),
    status: offerStatusAt(row, now),
    limitAmount: row.limit === undefined ? "unlimited" : String(row.limit),
    soldAmount: String(row.sold),
    startTime: String(row.createdTime),
    endTime: String(wait),
  };
}

const record = ({ orderId, product, days, amount, createdTime, type }: SharkFinRecord): unknown => ({
  orderId,
  product,
  period: String(days),
  amount: plain(amount),
  ts: String(createdTime),
  type,
});
