import { DAY_MS, HOUR_MS } from "@exchange-graph/contract/clock";
import { type DecimalText, type Exact, exact, truncated } from "@exchange-graph/contract/decimal";
import type { SHARK_FIN_RECORD_TYPES, SHARK_FIN_STATUSES, SHARK_FIN_TRENDS } from "@exchange-graph/contract/sharkfin";
import { bits, rootOf, scaled } from "../random.js";

type SharkFinStatus = (typeof SHARK_FIN_STATUSES)[number];
type SharkFinTrend = (typeof SHARK_FIN_TRENDS)[number];
export type SharkFinRecordType = (typeof SHARK_FIN_RECORD_TYPES)[number];

/** Subscription period of a product, and the time from its end to the start of accrual. */
const SUBSCRIPTION_MS = 2 * DAY_MS;
const WAIT_MS = DAY_MS;
/** From the end of accrual to the settlement, and from there to the repayment of the principal. */
const SETTLEMENT_MS = HOUR_MS;
const REDEMPTION_MS = DAY_MS;

const INTEREST_PLACES = 8;
const PER_YEAR = exact("36500");

/** A user's subscription of one shark-fin product. */
export interface SharkFinHolding {
  readonly productId: string;
  readonly uid: string;
  readonly productName: string;
  /** The coin whose price determines the interest. */
  readonly productCoin: string;
  readonly subscribeCoin: string;
  readonly trend: SharkFinTrend;
  readonly amount: Exact;
  readonly days: number;
  /** Final interest rate, percent per year. */
  readonly rate: Exact;
  /** Set if subscription ended early: suspended, or sold out. */
  readonly closedEarly: "pause" | "sell_out" | undefined;
  /** Unix ms. */
  readonly createdTime: number;
}

/** A payment in or out. */
export interface SharkFinRecord {
  readonly orderId: string;
  readonly product: string;
  readonly coin: string;
  readonly days: number;
  readonly amount: Exact;
  readonly createdTime: number;
  readonly type: SharkFinRecordType;
}

/** Start times of the stages of a holding, Unix ms. */
export function stagesOf({ createdTime, days }: Pick<SharkFinHolding, "createdTime" | "days">) {
  const wait = createdTime + SUBSCRIPTION_MS;
  const interestStart = wait + WAIT_MS;
  const interestEnd = interestStart + days * DAY_MS;
  const settle = interestEnd + SETTLEMENT_MS;
  return { wait, interestStart, interestEnd, settle, redeem: settle + REDEMPTION_MS };
}

/** The state of a holding, which follows from the time alone. */
export function statusAt(holding: SharkFinHolding, now: number): SharkFinStatus {
  const { wait, interestStart, settle, redeem } = stagesOf(holding);
  if (now >= redeem) return "redeem";
  if (now >= settle) return "settle";
  if (now >= interestStart) return "wait_settle";
  if (now >= wait) return "wait_interest";
  return holding.closedEarly ?? "running";
}

/** Interest over the whole term, in the subscription coin. */
export const interestOf = ({ amount, rate, days }: SharkFinHolding): Exact =>
  truncated(
    amount
      .times(rate)
      .times(exact(String(days)))
      .div(PER_YEAR),
    INTEREST_PLACES,
  );

/** A public offer of a shark-fin product. */
export interface SharkFinOffer
  extends Pick<SharkFinHolding, "productId" | "productName" | "productCoin" | "subscribeCoin" | "days" | "createdTime"> {
  /** Percent per year below, inside and above the price range. */
  readonly rates: { readonly lower: DecimalText; readonly default: DecimalText; readonly upper: DecimalText };
  readonly minAmount: DecimalText;
  /** Absent: no limit. */
  readonly limit: number | undefined;
  readonly sold: number;
}

const DAYS = 7;
/** One offer per day and product coin, announced a day in advance, listed for a month. */
const AHEAD_DAYS = 1;
const LISTED_DAYS = 31;
const PRODUCT_COINS = ["BTC", "ETH"] as const;
const SUBSCRIBE_COINS: ReadonlyMap<string, { readonly min: DecimalText; readonly limit: number }> = new Map([
  ["USDT", { min: "100", limit: 500_000 }],
  ["USDC", { min: "100", limit: 200_000 }],
]);

/** The offers for a subscription coin, newest first; a coin without shark-fin products has none. */
export function sharkFinOffers(subscribeCoin: string, now: number): readonly SharkFinOffer[] {
  const terms = SUBSCRIBE_COINS.get(subscribeCoin);
  if (terms === undefined) return [];
  const today = Math.floor(now / DAY_MS);
  return Array.from({ length: AHEAD_DAYS + LISTED_DAYS }, (_, at) => today + AHEAD_DAYS - at).flatMap((day) =>
    PRODUCT_COINS.map((productCoin, at): SharkFinOffer => {
      const root = rootOf(`shark-fin/${subscribeCoin}/${productCoin}`);
      const isUnlimited = bits(root, day) % 5 === 0;
      const date = new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll("-", "");
      return {
        productId: String(day * PRODUCT_COINS.length + PRODUCT_COINS.length - at),
        productName: `${subscribeCoin}/${productCoin}_${date}`,
        productCoin,
        subscribeCoin,
        rates: { lower: "3", default: "2", upper: "15" },
        days: DAYS,
        createdTime: day * DAY_MS,
        minAmount: terms.min,
        limit: isUnlimited ? undefined : terms.limit,
        sold: day > today ? 0 : scaled(bits(root, day, 1), terms.limit),
      };
    }),
  );
}

/** The state of an offer, in the values of offers, which differ from those of holdings. */
export function offerStatusAt(offer: SharkFinOffer, now: number): string {
  if (now < offer.createdTime) return "not_started";
  const { wait, interestStart, settle, redeem } = stagesOf(offer);
  if (now >= redeem) return "redeemed";
  if (now >= settle) return "settled";
  if (now >= interestStart) return "settle_pending";
  return now >= wait ? "interest_pending" : "in_progress";
}
