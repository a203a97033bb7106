import { HOUR_MS, MINUTE_MS } from "@exchange-graph/contract/clock";
import { exact } from "@exchange-graph/contract/decimal";
import { asOfNow, type BackOffice } from "../backOffice.js";
import type { Random } from "../random.js";
import { type SharkFinHolding, stagesOf } from "./sharkFin.js";
import type { SharkFinService } from "./sharkFinService.js";

/** Initial shark-fin holdings of a user: two and a half pages of the largest size per filter. */

const DAYS = 7;
const HOLDINGS = 250;
/** Running ones began within the last eleven days, the duration of a holding; ended ones in the weeks before. */
const RUNNING_SPACING_MS = 63 * MINUTE_MS;
const OVER_SPACING_MS = 7 * HOUR_MS;
/** Payment in, interest, repayment. */
const RECORDS_OF_ONE = 3;
const OVER_SINCE_MS = stagesOf({ createdTime: 0, days: DAYS }).redeem;

interface Product {
  readonly productCoin: string;
  readonly subscribeCoin: string;
  /** Minimum and maximum amount of a subscription. */
  readonly amounts: readonly [number, number];
}

const PRODUCTS: readonly [Product, ...Product[]] = [
  { productCoin: "BTC", subscribeCoin: "USDT", amounts: [20, 400] },
  { productCoin: "ETH", subscribeCoin: "USDT", amounts: [20, 250] },
  { productCoin: "BTC", subscribeCoin: "USDC", amounts: [10, 90] },
];
/** Percent per year. */
const RATES: readonly [string, ...string[]] = ["2", "4.5", "8", "15"];

/** Adds holdings in every state to a user, the running ones with coins minted for them. */
export function openSharkFin(service: SharkFinService, uid: string, random: Random): void {
  const { now } = service.office;
  for (let at = 0; at < HOLDINGS; at++) {
    service.open(drawn(service.office, uid, random, now() - HOUR_MS - at * RUNNING_SPACING_MS));
  }
  const past = asOfNow(service.office, HOLDINGS * (1 + RECORDS_OF_ONE));
  service.prepare(uid, past.ids, () =>
    Array.from({ length: HOLDINGS }, (_, at) => drawn(past, uid, random, past.now() - OVER_SINCE_MS - at * OVER_SPACING_MS)),
  );
  service.review();
}

function drawn({ ids }: BackOffice, uid: string, random: Random, createdTime: number): SharkFinHolding {
  const { productCoin, subscribeCoin, amounts } = random.pick(PRODUCTS);
  const trend = random.oneIn(2) ? "up" : "down";
  const date = new Date(createdTime).toISOString().slice(0, 10).replaceAll("-", "");
  return {
    productId: ids.past(createdTime),
    uid,
    productName: `${subscribeCoin}/${productCoin}_${date}`,
    productCoin,
    subscribeCoin,
    trend,
    amount: exact(String(random.between(...amounts))),
    days: DAYS,
    rate: exact(random.pick(RATES)),
    closedEarly: random.oneIn(5) ? (random.oneIn(2) ? "pause" : "sell_out") : undefined,
    createdTime,
  };
}
