import { plain } from "@exchange-graph/contract/decimal";
import { inCapitals, isNamed } from "@exchange-graph/contract/letterCase";
import { sharkFinAccount, sharkFinAssets, sharkFinOffers, sharkFinRecords } from "@exchange-graph/contract/sharkfin";
import { before } from "@exchange-graph/contract/window";
import { interestOf, type SharkFinHolding, type SharkFinRecord, stagesOf, statusAt } from "../world/earn/sharkFin.js";
import { offerStatusAt, sharkFinOffers as offersOf, type SharkFinOffer } from "../world/earn/sharkFinOffers.js";
import type { SharkFinService } from "../world/earn/sharkFinService.js";
import { type Handler, signed } from "./handler.js";
import { createdWithin, type HistoryQuery, resultList } from "./paging.js";
import { worthAs } from "./wire/amounts.js";
import { picked } from "./wire/fields.js";

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
