import { DAY_MS } from "@exchange-graph/contract/clock";
import type { DecimalText } from "@exchange-graph/contract/decimal";
import { bits, rootOf, scaled } from "../random.js";
import { stagesOf } from "./sharkFin.js";

/** A public offer of a shark-fin product. */
export interface SharkFinOffer {
  readonly productId: string;
  readonly productName: string;
  readonly productCoin: string;
  readonly subscribeCoin: string;
  /** Percent per year below, inside and above the price range. */
  readonly rates: { readonly lower: DecimalText; readonly default: DecimalText; readonly upper: DecimalText };
  readonly days: number;
  /** Unix ms. */
  readonly createdTime: number;
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
