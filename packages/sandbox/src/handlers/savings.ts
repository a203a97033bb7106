import { DAY_MS } from "@exchange-graph/contract/clock";
import { exact, plain } from "@exchange-graph/contract/decimal";
import { isNamed } from "@exchange-graph/contract/letterCase";
import {
  savingsAccount,
  savingsAssets,
  savingsProducts,
  savingsRecords,
  savingsRedeem,
  savingsRedeemResult,
} from "@exchange-graph/contract/savings";
import type { RateTier, SavingsHolding, SavingsProduct, SavingsRecord } from "../world/earn/savings.js";
import type { SavingsService } from "../world/earn/savingsService.js";
import { type Handler, signed } from "./handler.js";
import { createdWithin, resultList } from "./paging.js";
import { worthAs } from "./wire/amounts.js";
import { picked } from "./wire/fields.js";

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
