import { DAY_MS, HOUR_MS } from "@exchange-graph/contract/clock";
import { type Exact, exact, truncated } from "@exchange-graph/contract/decimal";
import type { SHARK_FIN_RECORD_TYPES, SHARK_FIN_STATUSES, SHARK_FIN_TRENDS } from "@exchange-graph/contract/sharkfin";

export type SharkFinStatus = (typeof SHARK_FIN_STATUSES)[number];
export type SharkFinTrend = (typeof SHARK_FIN_TRENDS)[number];
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
